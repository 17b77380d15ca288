// The same from t = 1.
model RegularStart
  Real x(start = 2, fixed = true);
equation
  time*der(x) + x = 1;
  annotation(experiment(StartTime = 1, StopTime = 2));
end RegularStart;
// expect: index=0 dof=1 kind=ode verdict=ok initial.missing=0 initial.excess=0
