// Inputs of components: bound where they are declared, given from outside, determined by an equation; a record as input of the model.
block Gain
  input Real u = 7;
  parameter Real k = 2;
  output Real y = k*u;
end Gain;
record Pair Real a, b; end Pair;
model Top
  input Pair in1;
  input Real v[2];
  output Pair out1(a = in1.a, b = 2);
  Gain g, h(u = g.y + in1.b);
  Gain s[2](u = v);
end Top;
//| model Top
//|   input Real 'in1.a';
//|   input Real 'in1.b';
//|   input Real v[2];
//|   output Real 'out1.a' = 'in1.a';
//|   output Real 'out1.b' = 2;
//|   Real 'g.u' = 7;
//|   parameter Real 'g.k' = 2;
//|   Real 'g.y' = 'g.k'*'g.u';
//|   Real 'h.u' = 'g.y' + 'in1.b';
//|   parameter Real 'h.k' = 2;
//|   Real 'h.y' = 'h.k'*'h.u';
//|   Real 's[1].u' = v[1];
//|   parameter Real 's[1].k' = 2;
//|   Real 's[1].y' = 's[1].k'*'s[1].u';
//|   Real 's[2].u' = v[2];
//|   parameter Real 's[2].k' = 2;
//|   Real 's[2].y' = 's[2].k'*'s[2].u';
//| end Top;
// expect: verdict=ok index=1 dof=0 unknowns=10 equations=10
