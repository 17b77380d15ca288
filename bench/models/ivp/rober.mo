// Robertson's reactions as an ODE. y2 ends at 8e-14: the absolute tolerance must be small.
model Robertson
  Real y1(start = 1, fixed = true), y2(start = 0, fixed = true), y3(start = 0, fixed = true);
equation
  der(y1) = -0.04*y1 + 1e4*y2*y3;
  der(y2) = 0.04*y1 - 1e4*y2*y3 - 3e7*y2^2;
  der(y3) = 3e7*y2^2;
  annotation(experiment(StopTime = 1e11, Tolerance = 1e-6));
end Robertson;
