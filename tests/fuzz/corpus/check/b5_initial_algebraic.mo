model InitialAlgebraic
  Real x, y, z(start = 2, fixed = true);
initial equation
  x - y = 1;
equation
  der(x) = -x;
  der(y) = -2*y;
  z = x + y;
end InitialAlgebraic;
