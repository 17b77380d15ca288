// A point on a rotating rod: position from a matrix that depends on time, force as unknown.
model RotatingFrame
  parameter Real om = 2, m = 1;
  Real s(start = 1), p[2], v[2], f[2], F;
equation
  der(p) = v;
  m*der(v) = f;
  p = [cos(om*time), -sin(om*time); sin(om*time), cos(om*time)]*{s, 0};
  F = f*{cos(om*time), sin(om*time)};
  der(s) = 0.5;
end RotatingFrame;
// s is a state of its own; p, v, f follow by two differentiations.
// expect: index=3 dof=1 constraint_count=3 hidden_count=4 unknowns=8 verdict=ok certificate=structural
