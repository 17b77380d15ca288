model Feedthrough
  parameter Real k = 1;
  Real x(start = 2), z;
equation
  der(x) = z - x;
  0 = x - k*z - 1;
end Feedthrough;
