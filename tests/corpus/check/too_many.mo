// One equation too many: y is determined twice.
model TooMany
  Real x, y;
equation
  der(x) = -x + y;
  y = 2;
  y + sin(time) = 3;
end TooMany;
// expect: status=ok index=null dof=null verdict=unbalanced unknowns=2 equations=3
// expect-reason: y
// expect-reason: too_many.mo:6
// expect-reason: too_many.mo:7
// expect-exit: 1
