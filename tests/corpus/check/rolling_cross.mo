// A ball rolling without slipping: v = w x r, as a vector equation with cross; contact force f.
model RollingBall
  parameter Real m = 1, J = 0.4, r[3] = {0, 0, 1}, g = 9.81, slope = 0.1;
  Real p[3](start = {0, 0, 1}), v[3], w[3](start = {0, 1, 0}), f[3];
equation
  der(p) = v;
  m*der(v) = f + m*g*{sin(slope), 0, -cos(slope)};
  J*der(w) = -cross(r, f);
  v = cross(w, r);
end RollingBall;
// The speed v follows from w (visible), the force from its derivative: dof: p (3) and w (3).
// expect: index=2 dof=6 constraint_count=3 hidden_count=3 unknowns=12 verdict=ok certificate=structural
// expect-constraint: v = cross(w, r)
// expect-equivalent: (f + m*g*{sin(slope), 0, -cos(slope)})/m = cross(-cross(r, f)/J, r)
