model Experiment
  parameter Real T = 5;
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  annotation(experiment(StartTime = -1, StopTime = 2*T, Tolerance = 1e-8, Interval = 0.01, NumberOfIntervals = 500), version = "2", uses(Modelica(version = "4.0.0")));
end Experiment;
// expect-experiment: start=-1 stop=10 tolerance=1e-8 interval=0.01
