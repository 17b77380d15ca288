// m x'' = -f x/l, m y'' = m g - f y/l, x^2 + y^2 = l^2, with y pointing down: index 3, and its angle for comparison.
model PlanarPendulum
  parameter Real m = 1, l = 1, g = 9.81;
  Real x(start = 0.6, fixed = true), y(start = 0.8), f "force in the rod";
  Real u(start = 0, fixed = true) = der(x), v = der(y);
equation
  m*der(u) = -f*x/l;
  m*der(v) = m*g - f*y/l;
  x^2 + y^2 = l^2;
  annotation(Daedal(draw(rod = line({0, 0}, {x, -y}), bob = sphere({x, -y}, radius = 0.06, colour = "red"), pivot = hinge({0, 0}))));
end PlanarPendulum;

model PendulumAngle
  parameter Real l = 1, g = 9.81;
  Real phi(start = asin(0.6), fixed = true), w(start = 0, fixed = true) = der(phi);
equation
  l*der(w) = -g*sin(phi);
  annotation(Daedal(draw(rod = line({0, 0}, l*{sin(phi), -cos(phi)}), bob = sphere(l*{sin(phi), -cos(phi)}, radius = 0.06))));
end PendulumAngle;

model BothPendulums "coordinates with a constraint, and the angle"
  PlanarPendulum dae;
  PendulumAngle ode;
  Real difference[3] = {dae.x - sin(ode.phi), dae.y - cos(ode.phi), dae.f - ode.w^2 - 9.81*cos(ode.phi)} "of x, y and f";
end BothPendulums;
