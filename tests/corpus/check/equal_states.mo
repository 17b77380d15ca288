// Two states made equal; v follows.
model EqualStates
  Real x1(start = 0.5, fixed = true), x2, v;
equation
  der(x1) = 1 - x1;
  der(x2) = v;
  x1 = x2;
end EqualStates;
// expect: index=2 structural_index=2 dof=1 constraint_count=1 hidden_count=1 unknowns=3 equations=3
// expect: certificate=structural verdict=ok kind=dae initial.missing=0 initial.excess=0
// expect-equivalent: v = 1 - x1
