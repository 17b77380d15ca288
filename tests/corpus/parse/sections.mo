model Sections "several of each kind"
  Real x;
protected
  Real y;
public
  Real z;
equation
  x = 1;
protected
  parameter Real p = 2;
equation
  y = p;
initial equation
equation
  z = x + y;
  annotation(experiment(StopTime = 3));
end Sections;
// expect-model: Sections
// expect-count: vars=4 rows=3
// expect-experiment: stop=3
