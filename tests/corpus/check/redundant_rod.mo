// Parallel guide: a platform held by three parallel equal rods, one of them superfluous.
model RedundantRod
  parameter Real L = 1, m = 1, J = 0.1, g = 9.81;
  Real x(start = 0.6), y(start = -0.8), f(start = 0), vx = der(x), vy = der(y), w = der(f), lam[3];
equation
  lagrange(q = {x, y, f}, T = 0.5*m*(vx^2 + vy^2) + 0.5*J*w^2, V = m*g*y,
           c = {(x + (i - 2)*cos(f) - (i - 2))^2 + (y + (i - 2)*sin(f))^2 - L^2 for i in 1:3}, lambda = lam);
end RedundantRod;
// Three rods on three coordinates: at f = 0 the gradients depend on each other although the mechanism moves.
// expect: verdict=singular index=null
// expect-reason: lam
// expect-exit: 1
