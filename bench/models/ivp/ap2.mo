// Ascher and Petzold's linear problem of index 2; x1 = x2 = exp(t), z = -exp(t)/(2 - t).
model AscherPetzold
  parameter Real a = 10;
  Real x1(start = 1), x2(start = 1, fixed = true), z(start = -0.5);
equation
  der(x1) = (a - 1/(2 - time))*x1 + (2 - time)*a*z + (3 - time)/(2 - time)*exp(time);
  der(x2) = (1 - a)/(time - 2)*x1 - x2 + (a - 1)*z + 2*exp(time);
  0 = (time + 2)*x1 + (time^2 - 4)*x2 - (time^2 + time - 2)*exp(time);
  annotation(experiment(StopTime = 1, Tolerance = 1e-6));
end AscherPetzold;
