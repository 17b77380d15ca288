// Slider-crank: two angles and the slide, closed by two equations.
model SliderCrank
  parameter Real J1 = 1, J2 = 2, m = 3, g = 9.81;
  Real a(start = 0.7, fixed = true), b(start = -0.44), s(start = 2.1);
  Real wa(start = 0, fixed = true) = der(a), wb = der(b), vs = der(s), lam[2];
equation
  lagrange(q = {a, b, s}, T = 0.5*J1*wa^2 + 0.5*J2*wb^2 + 0.5*m*vs^2, V = g*(sin(a) + sin(b)),
           c = {sin(a) + 1.5*sin(b), cos(a) + 1.5*cos(b) - s}, lambda = lam);
end SliderCrank;
// expect: index=3 structural_index=3 dof=2 constraint_count=2 hidden_count=4 unknowns=8 equations=8
// expect: certificate=structural verdict=ok kind=dae initial.missing=0 initial.excess=0
// expect-equivalent: cos(a)*wa + 1.5*cos(b)*wb = 0
// expect-equivalent: sin(a)*wa + 1.5*sin(b)*wb + vs = 0
