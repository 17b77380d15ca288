// Two rods, hinged to each other and to the ceiling. Index 3 from parts, 4 degrees of freedom; the angles alone are an ODE.
model DoublePendulum
  import Daedal.Mechanics.Planar.*;
  World world;
  Revolute shoulder(phi(start = 0, fixed = true), w(start = 0, fixed = true));
  Revolute elbow(phi(start = 0.5, fixed = true), w(start = 0, fixed = true));
  Link upper(m = 1, I = 1/12, ra = {-0.5, 0}, rb = {0.5, 0}), lower(m = 1, I = 1/12, ra = {-0.5, 0}, rb = {0.5, 0});
  Real energy = upper.energy + lower.energy;
equation
  connect(world.frame, shoulder.a);
  connect(shoulder.b, upper.a);
  connect(upper.b, elbow.a);
  connect(elbow.b, lower.a);
end DoublePendulum;

model DoublePendulumAngles "the same in the two angles against the horizontal"
  parameter Real g = 9.81;
  Real a(start = 0, fixed = true), b(start = 0.5, fixed = true), u(start = 0, fixed = true) = der(a), v(start = 0, fixed = true) = der(b);
equation
  lagrange(q = {a, b}, T = u^2/6 + v^2/24 + 0.5*((u*cos(a) + 0.5*v*cos(b))^2 + (u*sin(a) + 0.5*v*sin(b))^2),
    V = 1.5*g*sin(a) + 0.5*g*sin(b));
  annotation(Daedal(draw(rods = line({0, 0}, {cos(a), sin(a)}, {cos(a) + cos(b), sin(a) + sin(b)}),
    pins = {hinge({0, 0}), hinge({cos(a), sin(a)})}, path = trail({cos(a) + cos(b), sin(a) + sin(b)}))));
end DoublePendulumAngles;
