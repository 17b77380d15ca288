// Akzo Nobel's chemical reactions: index 1.
model ChemAkzo
  parameter Real ks = 115.83;
  Real y1(start = 0.444, fixed = true), y2(start = 0.00123, fixed = true), y3(start = 0, fixed = true);
  Real y4(start = 0.007, fixed = true), y5(start = 0, fixed = true), y6;
equation
  der(y1) = -2*18.7*y1^4*sqrt(y2) + 0.58*y3*y4 - 0.58/34.4*y1*y5 - 0.09*y1*y4^2;
  der(y2) = -0.5*18.7*y1^4*sqrt(y2) - 0.09*y1*y4^2 - 0.5*0.42*y6^2*sqrt(y2) + 3.3*(0.9/737 - y2);
  der(y3) = 18.7*y1^4*sqrt(y2) - 0.58*y3*y4 + 0.58/34.4*y1*y5;
  der(y4) = -0.58*y3*y4 + 0.58/34.4*y1*y5 - 2*0.09*y1*y4^2;
  der(y5) = 0.58*y3*y4 - 0.58/34.4*y1*y5 + 0.42*y6^2*sqrt(y2);
  ks*y1*y4 = y6;
end ChemAkzo;
// expect: index=1 dof=5 constraint_count=1 hidden_count=0 unknowns=6 verdict=ok certificate=structural kind=dae initial.missing=0 initial.excess=0
