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
//| model Loop
//|   Real 'i.u';
//|   Real 'i.y'(start = 0, fixed = true);
//|   parameter Real 'i.k' = 2;
//|   output Real out = 'i.y';
//| equation
//|   der('i.y') = 'i.k'*'i.u';
//|   'i.u' = 1 - 'i.y';
//| end Loop;
// expect: verdict=ok index=1 dof=1 unknowns=3 equations=3
