model WithoutUnknowns
  parameter Real a = 1;
  Real x, y;
equation
  x + y = a;
  a = 1;
end WithoutUnknowns;
