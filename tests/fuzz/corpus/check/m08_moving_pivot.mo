model MovingPivot
  parameter Real L = 1, g = 9.81;
  input Real h;
  Real x(start = 0.6), y(start = -0.8), u, v, lam;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -2*lam*(x - h);
  der(v) = -2*lam*y - g;
  (x - h)^2 + y^2 = L^2;
end MovingPivot;
