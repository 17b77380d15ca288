model TrigIdentity
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -x + y;
  (sin(x)^2 + cos(x)^2 - 1)*der(y) + y = x;
end TrigIdentity;
