model CircleOutside
  Real x(start = 1), y(start = 1);
equation
  der(x) = y;
  x^2 + y^2 = -1;
end CircleOutside;
