// The same with a right side that contradicts: the derivative of x + y = t is 1, not 2.
model SumAndLevelWrong
  Real x, y;
equation
  der(x) + der(y) = 2;
  x + y = time;
end SumAndLevelWrong;
// expect: verdict=inconsistent index=null dof=null
// expect-exit: 1
