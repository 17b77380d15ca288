model M
  Real x, y[2];
equation
  x' = -x;
  y[1]' = y[2]' + 1;
  y[2] = 1;
end M;
// expect-error: 4:4: a derivative is written der(x), not x'
// expect-error: 5:7: a derivative is written der(x), not x'
// expect-error: 5:15: a derivative is written der(x), not x'
