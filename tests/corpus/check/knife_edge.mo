// A sleigh on a knife edge (Chaplygin): it may not move sideways.
model KnifeEdge
  parameter Real m = 1, J = 0.2, g = 9.81, slope = 0.3;
  Real x(start = 0), y(start = 0), f(start = 0.5), vx = der(x), vy = der(y), w(start = 1) = der(f), mu[1];
equation
  lagrange(q = {x, y, f}, T = 0.5*m*(vx^2 + vy^2) + 0.5*J*w^2, V = -m*g*sin(slope)*x,
           a = {der(x)*sin(f) - der(y)*cos(f)}, lambda = mu);
end KnifeEdge;
// expect: index=2 dof=5 constraint_count=1 hidden_count=1 unknowns=7 equations=7 kind=dae verdict=ok certificate=structural
