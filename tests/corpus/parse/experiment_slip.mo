model Experiment
  Real x = 1;
  annotation(experiment(StopTme = 2));
end Experiment;
// expect-warning: 3:25: did you mean StopTime?
