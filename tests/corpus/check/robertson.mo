// Robertson's reactions with the mass balance instead of the third rate.
model Robertson
  Real y1(start = 1, fixed = true), y2(start = 0, fixed = true), y3(start = 0);
equation
  der(y1) = -0.04*y1 + 1e4*y2*y3;
  der(y2) = 0.04*y1 - 1e4*y2*y3 - 3e7*y2^2;
  y1 + y2 + y3 = 1;
end Robertson;
// expect: index=1 structural_index=1 dof=2 constraint_count=1 hidden_count=0 unknowns=3 equations=3
// expect: certificate=structural verdict=ok kind=dae initial.missing=0 initial.excess=0
