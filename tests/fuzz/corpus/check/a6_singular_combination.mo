model SingularCombination
  Real x1(start = 1), x2;
equation
  2*der(x1) + 4*der(x2) = x1;
  3*der(x1) + 6*der(x2) = x2 + time;
end SingularCombination;
