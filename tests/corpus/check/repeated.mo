// The same equation twice in other words.
model Repeated
  Real x, y;
equation
  x + y = 1;
  2*x + 2*y = 2;
end Repeated;
// expect: verdict=singular index=null dof=null
// expect-reason: x
// expect-reason: y
// expect-exit: 1
