// One constraint cannot determine two multipliers.
model TooManyMultipliers
  Real x1(start = 1, fixed = true), x2, l1, l2;
equation
  der(x1) = 10*x1 + 15*x2 - l1 + l2;
  der(x2) = x1 + 5*x2 + l2;
  3*x1 + 7*x2 = 0;
end TooManyMultipliers;
