model M
  parameter Boolean b = true;
  Real x, y = x > 1;
equation
  x = b;
  b = true;
end M;
// expect-error: 3:11: y is a number, but its value is Boolean
// expect-error: 5:3: an equation is between numbers; equations between Booleans need events, which are not supported yet
// expect-error: 6:3: an equation is between numbers; equations between Booleans need events, which are not supported yet
