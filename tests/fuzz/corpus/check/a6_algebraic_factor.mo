model AlgebraicFactor
  Real x1(start = 0, fixed = true), x2;
equation
  x1 - der(x1) + 1 = 0;
  der(x1)*x2 + 2 = 0;
end AlgebraicFactor;
