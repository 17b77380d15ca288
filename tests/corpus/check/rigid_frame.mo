// A frame of directors: the first is a unit vector moved by a given rotation rate w; its rate is a vector equation.
model RigidFrame
  parameter Real w[3] = {0.1, 0.2, 1};
  Real e[3](start = {1, 0, 0}), f[3], g[3];
equation
  der(e) = cross(w, e);
  f = der(e);
  g = der(f) + skew(w)*e;
end RigidFrame;
// f = e' is assigned from the rate of e; g needs f' = w x (w x e).
// expect: index=2 dof=3 constraint_count=3 hidden_count=3 unknowns=9 verdict=ok
