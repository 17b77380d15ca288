model RegularStart
  Real x(start = 2, fixed = true);
equation
  time*der(x) + x = 1;
  annotation(experiment(StartTime = 1, StopTime = 2));
end RegularStart;
