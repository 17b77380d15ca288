model SquaredConstraint
  parameter Real g = 9.81;
  Real x(start = 0.6), y(start = -0.8), u, v, l;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -l*x;
  der(v) = -l*y - g;
  (x^2 + y^2 - 1)^2 = 0;
end SquaredConstraint;
