// Slices of arrays of components are connected element by element.
connector Pin Real v; flow Real i; end Pin;
model Resistor
  parameter Real R = 1;
  Pin p, n;
equation
  p.i + n.i = 0;
  p.v - n.v = R*p.i;
end Resistor;
model Fixed
  parameter Real u = 0;
  Pin p;
equation
  p.v = u;
end Fixed;
model Chain
  parameter Integer n = 3;
  Resistor r[n](R = {1, 2, 3});
  Fixed left(u = 6), right;
equation
  connect(r[1:n-1].n, r[2:n].p);
  connect(left.p, r[1].p);
  connect(right.p, r[end].n);
end Chain;
//| model Chain
//|   parameter Integer n = 3;
//|   parameter Real 'r[1].R' = 1;
//|   Real 'r[1].p.v';
//|   Real 'r[1].p.i';
//|   Real 'r[1].n.v';
//|   Real 'r[1].n.i';
//|   parameter Real 'r[2].R' = 2;
//|   Real 'r[2].p.v';
//|   Real 'r[2].p.i';
//|   Real 'r[2].n.v';
//|   Real 'r[2].n.i';
//|   parameter Real 'r[3].R' = 3;
//|   Real 'r[3].p.v';
//|   Real 'r[3].p.i';
//|   Real 'r[3].n.v';
//|   Real 'r[3].n.i';
//|   parameter Real 'left.u' = 6;
//|   Real 'left.p.v';
//|   Real 'left.p.i';
//|   parameter Real 'right.u' = 0;
//|   Real 'right.p.v';
//|   Real 'right.p.i';
//| equation
//|   'r[1].p.i' + 'r[1].n.i' = 0;
//|   'r[1].p.v' - 'r[1].n.v' = 'r[1].R'*'r[1].p.i';
//|   'r[2].p.i' + 'r[2].n.i' = 0;
//|   'r[2].p.v' - 'r[2].n.v' = 'r[2].R'*'r[2].p.i';
//|   'r[3].p.i' + 'r[3].n.i' = 0;
//|   'r[3].p.v' - 'r[3].n.v' = 'r[3].R'*'r[3].p.i';
//|   'left.p.v' = 'left.u';
//|   'right.p.v' = 'right.u';
//|   'r[1].n.v' = 'r[2].p.v';
//|   'r[1].n.i' + 'r[2].p.i' = 0;
//|   'r[2].n.v' = 'r[3].p.v';
//|   'r[2].n.i' + 'r[3].p.i' = 0;
//|   'left.p.v' = 'r[1].p.v';
//|   'left.p.i' + 'r[1].p.i' = 0;
//|   'right.p.v' = 'r[3].n.v';
//|   'right.p.i' + 'r[3].n.i' = 0;
//| end Chain;
// expect: verdict=ok index=1 dof=0 unknowns=16 equations=16
