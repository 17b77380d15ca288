model InitialDependent
  Real x(start = 1, fixed = true), y, z(start = 3, fixed = true);
initial equation
  x + y = 3;
equation
  der(x) = -x;
  der(y) = -2*y;
  z = x + y;
end InitialDependent;
