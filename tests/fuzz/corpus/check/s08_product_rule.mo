model ProductRule
  Real x(start = 1, fixed = true), y;
equation
  der(x*y) - der(x)*y - x*der(y) + 2*x + y = sin(time);
  der(x) = y;
end ProductRule;
