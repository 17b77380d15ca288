// A pole hinged on a cart that a force pushes. With the angle as a coordinate no constraint is left: an ODE.
model CartPole
  parameter Real M = 1 "cart", m = 0.2 "mass at the tip", L = 0.5, g = 9.81, friction = 0.1;
  Real s(start = 0, fixed = true), vs(start = 0, fixed = true) = der(s) "cart";
  Real th(start = 0.1, fixed = true), w(start = 0, fixed = true) = der(th) "angle from upright";
  Real tip[2] = {s + L*sin(th), L*cos(th)}, vtip[2] = {vs + L*cos(th)*w, -L*sin(th)*w};
  input Real F "force on the cart";
equation
  lagrange(q = {s, th}, T = 0.5*M*vs^2 + 0.5*m*(vtip*vtip), V = m*g*tip[2], D = 0.5*friction*vs^2, Q = {F, 0});
end CartPole;
