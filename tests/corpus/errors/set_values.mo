model M
  parameter Real k = 1, a[2] = {1, 2};
  parameter Boolean b = true;
  parameter Integer n = 2;
  constant Real c = 3;
  final parameter Real f = 4;
  input Real u;
  Real x(start = 1), A[2,2];
equation
  der(x) = k*u; A = zeros(2, 2);
end M;
// set: k=nan
// set: k=inf
// set: k=0/0
// set: k=1e999
// set: k=
// set: k=2*
// set: k=2 3
// set: k=a
// expect-error: --set 1:3: the value of --set is made of numbers, but contains the name nan
// expect-error: --set 1:3: the value of --set is made of numbers, but contains the name inf
// expect-error: --set 1:3: this number is too large: the largest is about 1.8e308
// expect-error: --set 1:3: --set k needs a value, as in --set k=3
// expect-error: --set 1:5: expected an expression, found the end of the text
// expect-error: --set 1:5: expected the end of the text, found `3`
// expect-error: --set 1:3: the value of --set is made of numbers, but contains the name a
// expect-error: --set 1:3: division by zero in 0/0
