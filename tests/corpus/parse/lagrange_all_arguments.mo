// a sledge in the plane: a force at a point, friction, a constraint on speeds and one on positions
model Sledge
  parameter Real m = 2, J = 1, d = 0.1, l = 0.5;
  Real x, y, th, lam[2];
  Real vx = der(x), vy = der(y), w = der(th);
  input Real F[2], M;
equation
  lagrange(points = {{x + l*cos(th), y + l*sin(th)}}, forces = {F}, lambda = lam, q = {x, y, th},
           a = {vy*cos(th) - vx*sin(th)}, c = {y - sin(time)}, D = 0.5*d*(vx^2 + vy^2), Q = {0, 0, M},
           V = 3*x, T = 0.5*m*(vx^2 + vy^2) + 0.5*J*w^2) "sledge";
end Sledge;
// expect-count: rows=8 groups=8
// expect-doc: equation of motion of th
// expect-doc: sledge
// expect-row: vx = der(x)
// expect-row: vy = der(y)
// expect-row: w = der(th)
// expect-row: m*der(der(x)) + 3 + d*der(x) - lam[2]*sin(th) - F[1]
// expect-row: m*der(der(y)) + d*der(y) + lam[1] + lam[2]*cos(th) - F[2]
// expect-row: J*der(der(th)) - M + l*sin(th)*F[1] - l*cos(th)*F[2]
// expect-row: y - sin(time)
// expect-row: vy*cos(th) - vx*sin(th)
