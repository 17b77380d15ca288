model GglPendulum
  parameter Real g = 9.81;
  Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0, fixed = true), v, l, m;
equation
  der(x) = u - m*x;
  der(y) = v - m*y;
  der(u) = -l*x;
  der(v) = -l*y - g;
  x^2 + y^2 = 1;
  x*u + y*v = 0;
end GglPendulum;
