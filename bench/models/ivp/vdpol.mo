// Van der Pol's oscillator with mu = 1000: a stiff ODE with sharp turns.
model VanDerPol
  parameter Real mu = 1000;
  Real y1(start = 2, fixed = true), y2(start = 0, fixed = true);
equation
  der(y1) = y2;
  der(y2) = mu*(1 - y1^2)*y2 - y1;
  annotation(experiment(StopTime = 2000, Tolerance = 1e-6));
end VanDerPol;
