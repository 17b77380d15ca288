// 4 unknowns and 3 equations: the multipliers are not determined
model TooManyMultipliers
  Real x1, x2, l1, l2;
equation
  der(x1) = 10*x1 + 15*x2 - l1 + l2;
  der(x2) = x1 + 5*x2 + l2;
  3*x1 + 7*x2 = 0;
end TooManyMultipliers;
// expect: index=null dof=null verdict=unbalanced unknowns=4 equations=3
// expect-reason: l1
// expect-reason: l2
// expect-exit: 1
