model Prescribed
  Real x1, x2, z;
equation
  der(x1) = z;
  der(x2) = x1;
  x2 = sin(time);
end Prescribed;
