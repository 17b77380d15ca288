model Motor
  Real x = 1;
equation
  der(x) = 1;
// expect-error: 1:7: the model Motor is never closed: add `end Motor;`
