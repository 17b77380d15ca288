// constraints from a comprehension are one equation per index, with the names the user has
model Chain
  parameter Integer n = 2;
  parameter Real L[n] = {1, 2}, m = 1;
  Real p[n,2], v[n,2] = der(p), lam[n];
  Real e[2] = p[2, :] - p[1, :];
equation
  lagrange(q = vector({p[1,1], p[1,2], p[2,1], p[2,2]}), T = 0.5*m*sum(v[i,j]^2 for i in 1:n, j in 1:2),
           c = {(if i == 1 then p[1, :]*p[1, :] else e*e) - L[i]^2 for i in 1:n}, lambda = lam);
end Chain;
// expect-count: rows=12 groups=8
// expect-row: v = der(p)
// expect-row: e = {p[2,1] - p[1,1], p[2,2] - p[1,2]}
// expect-row: m*der(der(p[1,1])) + 2*lam[1]*p[1,1] - 2*lam[2]*(p[2,1] - p[1,1])
// expect-row: m*der(der(p[1,2])) + 2*lam[1]*p[1,2] - 2*lam[2]*(p[2,2] - p[1,2])
// expect-row: m*der(der(p[2,1])) + 2*lam[2]*(p[2,1] - p[1,1])
// expect-row: m*der(der(p[2,2])) + 2*lam[2]*(p[2,2] - p[1,2])
// expect-row: p[1,1]^2 + p[1,2]^2 - L[1]^2
// expect-row: e[1]^2 + e[2]^2 - L[2]^2
