// x' + y' + z = 0 and x + y = sin(t): z = -cos(t) after one differentiation; y' = x.
model SumReveals
  Real x(start = 1), y, z;
equation
  der(x) + der(y) + z = 0;
  x + y = sin(time);
  der(y) = x;
end SumReveals;
// expect: index=2 dof=1 constraint_count=1 hidden_count=1 unknowns=3 verdict=ok
// expect-equivalent: z + cos(time) = 0
