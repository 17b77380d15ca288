model TwoBranches
  Real x1(start = 0.3), x2(start = 0), x3;
equation
  der(x1) = x3;
  x2*(1 - x2) = 0;
  x1*x2 + x3*(1 - x2) = time;
end TwoBranches;
