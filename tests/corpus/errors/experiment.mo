model M
  Real x = 1;
  annotation(experiment(StopTime = x, Tolerance = -1, Interval, StartTime = k));
end M;
// expect-error: 3:36: only parameters and constants are allowed here, but x is a variable
// expect-error: 3:39: Tolerance must be positive
// expect-error: 3:55: Interval needs a value: Interval = ...
// expect-error: 3:77: k is not declared
