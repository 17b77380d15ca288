// Gear and Petzold's time-dependent example: the combination that reveals the constraint depends on time.
model GearPetzold
  parameter Real e = 0.5;
  Real x, y;
equation
  x + e*time*y = sin(time);
  der(x) + e*time*der(y) + (1 + e)*y = cos(2*time);
  annotation(experiment(StartTime = 1, StopTime = 2));
end GearPetzold;
// expect: index=2 structural_index=1 dof=0 constraint_count=1 hidden_count=1 unknowns=2 equations=2
// expect: certificate=converted|derivative_array verdict=ok kind=dae initial.missing=0
// expect-equivalent: y = cos(2*time) - cos(time)
