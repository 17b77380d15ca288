// All unknowns are differentiated, but dF/dx' is singular: the DAE shows only in a combination.
model SingularCombination
  Real x1(start = 1), x2;
equation
  2*der(x1) + 4*der(x2) = x1;
  3*der(x1) + 6*der(x2) = x2 + time;
end SingularCombination;
// expect: index=1 structural_index=0 dof=1 constraint_count=1 hidden_count=0 unknowns=2 kind=dae verdict=ok certificate=converted
// expect-equivalent: 3*x1 - 2*(x2 + time) = 0
