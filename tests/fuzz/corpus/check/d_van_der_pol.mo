model VanDerPol
  parameter Real mu = 1000;
  Real y(start = 2, fixed = true), v(start = 0, fixed = true) = der(y);
equation
  der(der(y)) = mu*(1 - y^2)*der(y) - y;
end VanDerPol;
