model M
  Real x, y;
  parameter Real lambda = 2;
equation
  der(x) = -lamda*x;
  y = lamda + X;
end M;
// expect-error: 5:13: lamda is not declared: did you mean lambda?
// expect-error: 6:15: X is not declared: did you mean x?
