model LiCutset
  parameter Real L1 = 1e-3, L2 = 3e-3, R = 10;
  Real i1(start = 0, fixed = true), i2, v1, v2;
equation
  L1*der(i1) = v1;
  L2*der(i2) = v2;
  i1 = i2;
  v1 + v2 + R*i1 = 12;
end LiCutset;
