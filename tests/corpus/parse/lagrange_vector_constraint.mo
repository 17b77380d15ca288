// a constraint that is one vector expression stays one equation
model Sphere
  Real p[3], v[3] = der(p), lam[3];
  parameter Real A[3,3] = identity(3);
equation
  lagrange(q = p, T = v*v, c = A*p, lambda = lam);
end Sphere;
// expect-count: rows=9 groups=5
// expect-row: v = der(p)
// expect-row: 2*der(der(p[1])) + A[1,1]*lam[1] + A[2,1]*lam[2] + A[3,1]*lam[3]
// expect-row: 2*der(der(p[2])) + A[1,2]*lam[1] + A[2,2]*lam[2] + A[3,2]*lam[3]
// expect-row: 2*der(der(p[3])) + A[1,3]*lam[1] + A[2,3]*lam[2] + A[3,3]*lam[3]
// expect-row: A*p = zeros(3)
