model ImplicitLinear
  Real x(start = 0.2, fixed = true);
equation
  der(x) + sin(x + 1) = sin(2*time);
end ImplicitLinear;
