model Circle
  Real x(start = 0.6), y(start = 0.8);
equation
  der(x) = y;
  x^2 + y^2 = 1;
end Circle;
