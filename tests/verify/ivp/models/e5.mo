model E5
  constant Real A = 7.89e-10, B = 1.1e7, C = 1.13e3, M = 1e6;
  Real y1(start = 1.76e-3, fixed = true), y2(start = 0, fixed = true), y3(start = 0, fixed = true), y4(start = 0, fixed = true);
equation
  der(y1) = -A*y1 - B*y1*y3;
  der(y2) = A*y1 - M*C*y2*y3;
  der(y3) = A*y1 - B*y1*y3 - M*C*y2*y3 + C*y4;
  der(y4) = B*y1*y3 - C*y4;
  annotation(experiment(StopTime = 1e13));
end E5;
