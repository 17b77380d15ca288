within ;
model lag_steady "Begins at rest, then the set point moves"
  Real x;
  output Real slope;
protected
  parameter Real before=3, after=5, when_=0.25;
initial equation
  der(x) = 0;
equation
  der(x) = 2*((if time >= when_ then after else before) - x);
  slope = der(x);
annotation (
  uses(Modelica(version="4.0.0")),
  experiment(StartTime=0, StopTime=1, Tolerance=1e-8, Interval=0.01));
end lag_steady;
