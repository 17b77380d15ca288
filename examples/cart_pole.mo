// A cart on rails carries a pole with a bob at its end; u pushes the cart, F pulls at the bob.
// The coordinates are independent, so Lagrange's equations are an ODE with a mass matrix:
//   [M + m, -M L sin(th); -M L sin(th), M L^2] [x''; th''] = [M L th'^2 cos(th); -M g L cos(th)] + forces
model CartPole "a pole on a cart"
  parameter Real M(unit = "kg") = 0.3 "mass of the bob", m(unit = "kg") = 1 "mass of the cart";
  parameter Real L(unit = "m") = 0.5 "length of the pole", g(unit = "m/s2") = 9.81;
  input Real u "force on the cart", F[2] "force on the bob";
  Real x(start = 0, fixed = true, unit = "m") "cart", th(start = 1.4, fixed = true, unit = "rad") "angle of the pole above the horizontal";
  Real v(start = 0, fixed = true, unit = "m/s") = der(x), w(start = 0, fixed = true, unit = "rad/s") = der(th);
equation
  lagrange(q = {x, th}, T = 0.5*(M + m)*v^2 - M*L*sin(th)*v*w + 0.5*M*L^2*w^2, V = M*g*L*sin(th),
           Q = {u, 0}, forces = F, points = {x + L*cos(th), L*sin(th)});
  annotation(Daedal(draw(rail = ground(height = -0.06), cart = box({x, 0}, size = {0.24, 0.12}, colour = "steel"),
    pole = line({x, 0}, {x + L*cos(th), L*sin(th)}, colour = "orange"),
    bob = sphere({x + L*cos(th), L*sin(th)}, radius = 0.035, colour = "red"), path = trail({x + L*cos(th), L*sin(th)}),
    push = arrow({x, 0}, {u, 0}), pull = arrow({x + L*cos(th), L*sin(th)}, F))));
end CartPole;
