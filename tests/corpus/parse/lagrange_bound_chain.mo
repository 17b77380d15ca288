// bound variables are put in repeatedly, also below der()
model Bound
  parameter Real m = 1, L = 2, g = 9.81;
  Real th(start = 1, fixed = true);
  Real s = sin(th), c = cos(th);
  Real p[2] = {L*s, -L*c}, v[2] = der(p), T = 0.5*m*(v*v), V = m*g*h, h = p[2];
equation
  lagrange(q = {th}, T = T, V = V);
end Bound;
// expect-count: rows=10 groups=8
// expect-row: s = sin(th)
// expect-row: c = cos(th)
// expect-row: p[1] = L*s
// expect-row: p[2] = -L*c
// expect-row: v = der(p)
// expect-row: T = 0.5*m*(v[1]^2 + v[2]^2)
// expect-row: V = m*g*h
// expect-row: h = p[2]
