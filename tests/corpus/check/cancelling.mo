// x1' + x2' - 7 = 0, x1' + x2' + x1 + cos(x2) = 0
model Cancelling
  Real x1(start = -7.5), x2(start = 1);
equation
  der(x1) + der(x2) - 7 = 0;
  der(x1) + der(x2) + x1 + cos(x2) = 0;
end Cancelling;
// expect: index=1 structural_index=0 dof=1 constraint_count=1 hidden_count=0 unknowns=2 kind=dae verdict=ok certificate=converted
// expect-equivalent: x1 + cos(x2) + 7 = 0
