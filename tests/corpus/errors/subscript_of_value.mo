model M
  Real x, y;
equation
  x = (x + y)[1];
  y = der(x)[1];
end M;
// expect-error: 4:14: subscripts can only follow a name: give the value a name first
// expect-error: 5:13: subscripts can only follow a name: give the value a name first
