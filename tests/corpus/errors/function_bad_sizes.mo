function f
  input Integer n;
  output Real y[n];
protected
  Real w[div(4, n)];
algorithm
  y := fill(1, n);
end f;
function g
  input Integer n;
  output Real y[n - 5];
algorithm
  y := fill(1, n - 5);
end g;
function huge
  input Integer n;
  output Real y[n, n];
algorithm
  y[1, 1] := 1;
end huge;
model Top
  Real a[0] = f(0), b[1] = g(1), c = sum(huge(1000000));
end Top;
// expect-error: 5:10: the size of w must be an Integer, but div(4, n) has the value inf
// expect-note: 22:15: in this call of f
// expect-error: 11:17: the size of y must not be negative, but it is -4
// expect-note: 22:28: in this call of g
// expect-error: 17:17: n has size 1000000 x 1000000, more than the limit of 10000000 elements
// expect-note: 22:42: in this call of huge
