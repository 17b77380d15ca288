// (x' + y')(x' - y') - x'^2 + y'^2 = 0 identically: y = x^2 remains.
model DifferenceOfSquares
  Real x(start = 0.5, fixed = true), y;
equation
  der(x) = 1 - y;
  (der(x) + der(y))*(der(x) - der(y)) - der(x)^2 + der(y)^2 + y = x^2;
end DifferenceOfSquares;
// expect: index=1 dof=1 constraint_count=1 hidden_count=0 unknowns=2 verdict=ok
