// The first equation is the derivative of the second. What is determined is no fixed combination of x and y.
model RedundantCircle
  Real x, y, z;
equation
  der(x)*x + der(y)*y = 0;
  x^2 + y^2 = 4;
  der(z) = x;
end RedundantCircle;
// expect: verdict=singular
// expect-reason: x and y are not determined separately; remove
