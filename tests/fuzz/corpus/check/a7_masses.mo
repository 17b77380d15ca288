model Masses
  parameter Real m1 = 1, m2 = 1, k = 100, d = 0;
  Real x1(start = 0), x2(start = 1);
equation
  m1*der(der(x1)) = k*(x2 - x1) + d*(der(x2) - der(x1));
  m2*der(der(x2)) = -k*(x2 - x1) - d*(der(x2) - der(x1)) - k*x2;
end Masses;
