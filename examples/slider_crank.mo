// A crank of length 1 drives a slider through a rod of length 1.5: two loop equations, one angle free.
model SliderCrank
  parameter Real J1 = 1, J2 = 2, m = 3, g = 9.81;
  Real a(start = 0.7, fixed = true) "crank", b(start = -0.44) "rod", s(start = 2.1) "slider";
  Real wa(start = 5, fixed = true) = der(a), wb = der(b), vs = der(s), lam[2];
equation
  lagrange(q = {a, b, s}, T = 0.5*J1*wa^2 + 0.5*J2*wb^2 + 0.5*m*vs^2, V = g*(sin(a) + sin(b)),
           c = {sin(a) + 1.5*sin(b), cos(a) + 1.5*cos(b) - s}, lambda = lam);
  annotation(Daedal(draw(crank = line({0, 0}, {cos(a), sin(a)}, colour = "orange"), rod = line({cos(a), sin(a)}, {s, 0}),
    slider = box({s, 0}, size = {0.5, 0.35}, colour = "steel"), pins = {hinge({0, 0}), hinge({cos(a), sin(a)}), hinge({s, 0})}, rail = ground(height = -0.18))));
end SliderCrank;
