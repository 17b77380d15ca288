// A sum of derivatives and the same sum of levels: x' + y' = 1 follows from x + y = t, so z' = ... stays: one row is lost.
model SumAndLevel
  Real x, y;
equation
  der(x) + der(y) = 1;
  x + y = time;
end SumAndLevel;
// expect: verdict=singular index=null dof=null
// expect-exit: 1
