// Two bodies glued together: a vector equation between their positions, three multipliers.
model GluedBodies
  parameter Real m1 = 1, m2 = 2, d[3] = {0.1, 0.2, 0.3}, g[3] = {0, 0, -9.81};
  Real p[3](start = {0, 0, 1}), q[3], v[3](start = {1, 0, 0}), w[3], f[3];
equation
  der(p) = v;
  der(q) = w;
  m1*der(v) = m1*g + f;
  m2*der(w) = m2*g - f;
  p - q = d;
end GluedBodies;
// expect: index=3 dof=6 constraint_count=3 hidden_count=6 unknowns=15 kind=dae verdict=ok certificate=structural
// expect-hidden: v - w = zeros(3) | v - w = zeros(size(d, 1)) | v = w
// expect-equivalent: v - w = zeros(3)
// expect-equivalent: f/m1 + f/m2 = zeros(3)
