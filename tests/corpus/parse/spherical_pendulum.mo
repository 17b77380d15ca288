model SphericalPendulum
  parameter Real m = 1, L = 1, g = 9.81;
  Real p[3](start = {0.6, 0.0, -0.8}, fixed = {true, true, false}) "bob position";
  Real v[3](start = {0.0, 1.0, 0.0}, fixed = {true, true, false}) = der(p);
  Real lam[1];
equation
  lagrange(q = p, T = 0.5*m*(v*v), V = m*g*p[3], c = {p*p - L^2}, lambda = lam);
end SphericalPendulum;
// expect-model: SphericalPendulum
// expect-count: vars=10 arrays=6 rows=7 groups=5
// expect-var: p[3] kind=variable start=-0.8 fixed=false
// expect-var: v[2] start=1 fixed=true
// expect-var: g kind=parameter value=9.81
// expect-doc: equation of motion of p[2]
// expect-row: v[1] = der(p[1])
// expect-row: v[2] = der(p[2])
// expect-row: v[3] = der(p[3])
// expect-row: m*der(der(p[1])) + 2*lam[1]*p[1] = 0
// expect-row: m*der(der(p[2])) + 2*lam[1]*p[2] = 0
// expect-row: m*der(der(p[3])) + 2*lam[1]*p[3] + m*g = 0
// expect-row: p[1]^2 + p[2]^2 + p[3]^2 - L^2
