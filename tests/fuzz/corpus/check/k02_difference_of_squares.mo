model DifferenceOfSquares
  Real x(start = 0.5, fixed = true), y;
equation
  der(x) = 1 - y;
  (der(x) + der(y))*(der(x) - der(y)) - der(x)^2 + der(y)^2 + y = x^2;
end DifferenceOfSquares;
