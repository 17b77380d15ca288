// Several bases: their members and equations in order, and a class that one of them defines.
model Mass
  parameter Real m = 1;
  Real s(start = 1, fixed = true), v(start = 0, fixed = true) = der(s), f;
equation
  m*der(v) = f;
end Mass;
model Law
  parameter Real c = 3;
  model Probe Real y = 1; end Probe;
  function force input Real s; input Real c; output Real f; algorithm f := -c*s; end force;
end Law;
model Oscillator
  extends Mass(m = 2);
  extends Law;
  Probe probe;
equation
  f = force(s, c);
end Oscillator;
//| model Oscillator
//|   parameter Real m = 2;
//|   Real s(start = 1, fixed = true);
//|   Real v(start = 0, fixed = true) = der(s);
//|   Real f;
//|   parameter Real c = 3;
//|   Real 'probe.y' = 1;
//| equation
//|   m*der(v) = f;
//|   f + s*c = 0;
//| end Oscillator;
// expect: verdict=ok index=1 dof=2 unknowns=4 equations=4
