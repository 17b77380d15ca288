model M
  parameter Real k, l[2];
  constant Real c;
  parameter Integer n;
  Real x[n];
  Real y = k + c;
end M;
// expect-error: 4:21: parameter n has no value: give one in the model, or with --set n=VALUE
// expect-error: 2:18: parameter k has no value: give one in the model, or with --set k=VALUE
// expect-error: 2:21: parameter l[1] has no value: give one in the model, or with --set l[1]=VALUE
// expect-error: 3:17: the constant c has no value
