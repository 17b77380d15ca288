model M
  Real x;
  parameter Real k = 1;
  Real y, x;
  Real time;
equation
  x = k;
end M;
// expect-error: 4:11: x is declared twice, the first time in line 2
// expect-error: 5:8: `time` is the name of the time itself: choose another name
