// A coin rolling upright without slipping: heading f, rolling angle r; two constraints on speeds. Index 2.
model RollingCoin
  parameter Real m = 1, R = 0.3, J = 0.045, I = 0.0225;
  Real x(start = 0), y(start = 0), f(start = 0.4), r(start = 0);
  Real vx = der(x), vy = der(y), wf(start = 0.5) = der(f), wr(start = 1) = der(r), mu[2];
equation
  lagrange(q = {x, y, f, r}, T = 0.5*m*(vx^2 + vy^2) + 0.5*I*wf^2 + 0.5*J*wr^2,
           a = {der(x) - R*cos(f)*der(r), der(y) - R*sin(f)*der(r)}, lambda = mu);
end RollingCoin;
// expect: index=2 dof=6 constraint_count=2 hidden_count=2 unknowns=10 equations=10 kind=dae verdict=ok certificate=structural
// expect-equation: m*der(vx) + mu[1] = 0
// expect-equation: J*der(wr) - R*cos(f)*mu[1] - R*sin(f)*mu[2] = 0
// expect-equation: I*der(wf) = 0
