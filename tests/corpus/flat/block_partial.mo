// Blocks with plain input and output variables; a partial class is extended.
partial block SISO
  input Real u;
  output Real y;
end SISO;
block Integrator
  extends SISO(y(start = 0, fixed = true));
  parameter Real k = 1;
equation
  der(y) = k*u;
end Integrator;
model Loop
  Integrator i(k = 2);
  output Real out = i.y;
equation
  i.u = 1 - i.y;
end Loop;
