// Two pairs of rows with the same derivatives: three constraints are there as soon as the rows are combined (Reissig, Martinson and Barton 2000).
model Reissig5
  Real x[5];
equation
  der(x[2]) + der(x[3]) + x[1] = sin(time);
  der(x[2]) + der(x[3]) + x[2] = cos(time);
  der(x[4]) + der(x[5]) + x[3] = sin(2*time);
  der(x[4]) + der(x[5]) + x[4] = cos(2*time);
  x[5] = sin(3*time);
end Reissig5;
// expect: index=1 dof=2 constraint_count=3 hidden_count=0 verdict=ok
// expect-constraint: x[2] - x[1] + sin(time) - cos(time) = 0
