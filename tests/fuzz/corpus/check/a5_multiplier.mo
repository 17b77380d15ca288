model Multiplier
  Real x1(start = 1, fixed = true), x2, l;
equation
  der(x1) = x1 + 5*x2 - l;
  der(x2) = -2*x1 + x2 + l;
  2*x1 - x2 = 0;
end Multiplier;
