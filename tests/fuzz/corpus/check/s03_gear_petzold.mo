model GearPetzold
  parameter Real e = 0.5;
  Real x, y;
equation
  x + e*time*y = sin(time);
  der(x) + e*time*der(y) + (1 + e)*y = cos(2*time);
  annotation(experiment(StartTime = 1, StopTime = 2));
end GearPetzold;
