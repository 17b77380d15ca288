model PerfectCoupling
  parameter Real L1 = 1, L2 = 4, M = 2, R1 = 1, R2 = 3;
  Real i1(start = 0), i2;
equation
  L1*der(i1) + M*der(i2) = sin(time) - R1*i1;
  M*der(i1) + L2*der(i2) = -R2*i2;
end PerfectCoupling;
