// One equation too few: y and z share an equation.
model TooFew
  Real x, y, z;
equation
  der(x) = -x;
  y + z = x;
end TooFew;
// expect: status=ok index=null dof=null verdict=unbalanced unknowns=3 equations=2
// expect-reason: y
// expect-reason: z
// expect-exit: 1
