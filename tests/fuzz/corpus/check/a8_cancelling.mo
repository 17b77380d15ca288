model Cancelling
  Real x1(start = -7.5), x2(start = 1);
equation
  der(x1) + der(x2) - 7 = 0;
  der(x1) + der(x2) + x1 + cos(x2) = 0;
end Cancelling;
