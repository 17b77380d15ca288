// x1' = x1 + 5 x2 - l, x2' = -2 x1 + x2 + l, 2 x1 - x2 = 0: GJ = -3
model Multiplier
  Real x1(start = 1, fixed = true), x2, l;
equation
  der(x1) = x1 + 5*x2 - l;
  der(x2) = -2*x1 + x2 + l;
  2*x1 - x2 = 0;
end Multiplier;
// expect: index=2 structural_index=2 dof=1 constraint_count=1 hidden_count=1 unknowns=3 kind=dae verdict=ok certificate=structural initial.missing=0 initial.excess=0
// expect-equivalent: 2*(x1 + 5*x2 - l) - (-2*x1 + x2 + l) = 0
