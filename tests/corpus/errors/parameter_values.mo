model M
  parameter Integer n = 2.5;
  parameter Boolean b = 1;
  parameter Real r = true;
  parameter Real k = x;
  parameter Real t = time;
  parameter Real z = 1/0;
  parameter Real l = log(-1);
  Real x = 1;
end M;
// expect-error: 2:21: n is an Integer, but its value is 2.5
// expect-error: 3:21: b is Boolean, but its value is a number
// expect-error: 4:18: r is a number, but its value is Boolean
// expect-error: 5:22: only parameters and constants are allowed here, but x is a variable
// expect-error: 6:22: only parameters and constants are allowed here, not time
// expect-error: 7:22: division by zero in 1/0
// expect-error: 8:18: the value of l is not a finite number (nan)
