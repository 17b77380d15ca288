model InitialPoint
  parameter Real u = 0.5;
  Real x1(start = 1, fixed = true), x2(start = 0, fixed = true);
equation
  (x1 - x2)*der(x2) + x1 - x2 = 0;
  der(x1) + x1 - u = 0;
end InitialPoint;
