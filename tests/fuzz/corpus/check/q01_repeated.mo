model Repeated
  Real x, y;
equation
  x + y = 1;
  2*x + 2*y = 2;
end Repeated;
