model Quotient
  Real x(start = 1), y(start = 2), z;
equation
  y^2*der(x/y) - y*der(x) + x*der(y) + z = x*y;
  der(x) = z;
  der(y) = -y;
end Quotient;
