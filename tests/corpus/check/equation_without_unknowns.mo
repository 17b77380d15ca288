// An equation between parameters determines nothing.
model WithoutUnknowns
  parameter Real a = 1;
  Real x, y;
equation
  x + y = a;
  a = 1;
end WithoutUnknowns;
// expect: verdict=singular index=null
// expect-exit: 1
