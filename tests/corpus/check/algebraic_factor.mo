// [x1 - x1' + 1; x1' x2 + 2]: x2 is never differentiated; index 1 while x1' is not 0
model AlgebraicFactor
  Real x1(start = 0, fixed = true), x2;
equation
  x1 - der(x1) + 1 = 0;
  der(x1)*x2 + 2 = 0;
end AlgebraicFactor;
// expect: index=1 structural_index=1 dof=1 constraint_count=1 hidden_count=0 unknowns=2 kind=dae verdict=ok certificate=structural initial.missing=0 initial.excess=0
// expect-in-algebraic: x2
// expect-in-states: x1
