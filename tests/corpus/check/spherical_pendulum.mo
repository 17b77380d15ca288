// Spherical pendulum, Newton's equations with vectors.
model Spherical
  parameter Real g = 9.81;
  Real p[3](start = {0.6, 0, -0.8}, fixed = {true, true, false});
  Real v[3](start = {0, 1, 0}, fixed = {true, true, false}), l;
equation
  der(p) = v;
  der(v) = -l*p - {0, 0, g};
  p*p = 1;
end Spherical;
// expect: index=3 structural_index=3 dof=4 constraint_count=1 hidden_count=2 unknowns=7 equations=7
// expect: certificate=structural verdict=ok kind=dae initial.missing=0 initial.excess=0
// expect-constraint: p*p = 1 | p*p - 1 = 0
// expect-hidden: p*v = 0
// expect-equivalent: p*v = 0
// expect-equivalent: v*v - l*(p*p) - g*p[3] = 0
