// if-expressions with a branch that must not be evaluated: 0/0 at the start.
model Conditional
  Real x(start = 0, fixed = true), y;
equation
  der(x) = 1 - y;
  y = if x == 0 then 1 else sin(x)/x;
end Conditional;
// expect: index=1 dof=1 constraint_count=1 verdict=ok kind=dae
