// Two pins each: potentials equal, flows sum to zero; a set of three; an open pin has no current.
connector Pin
  Real v;
  flow Real i;
end Pin;
model Resistor
  parameter Real R = 1;
  Pin p, n;
equation
  p.i + n.i = 0;
  p.v - n.v = R*p.i;
end Resistor;
model Ground
  Pin p;
equation
  p.v = 0;
end Ground;
model Source
  Pin p, n;
equation
  p.v - n.v = 10;
  p.i + n.i = 0;
end Source;
model Net
  Source s;
  Resistor a(R = 2), b(R = 3), open;
  Ground g;
equation
  connect(s.p, a.p);
  connect(a.n, b.p);
  connect(b.n, s.n);
  connect(g.p, s.n);
  connect(open.p, a.n);
end Net;
//| model Net
//|   Real 's.p.v';
//|   Real 's.p.i';
//|   Real 's.n.v';
//|   Real 's.n.i';
//|   parameter Real 'a.R' = 2;
//|   Real 'a.p.v';
//|   Real 'a.p.i';
//|   Real 'a.n.v';
//|   Real 'a.n.i';
//|   parameter Real 'b.R' = 3;
//|   Real 'b.p.v';
//|   Real 'b.p.i';
//|   Real 'b.n.v';
//|   Real 'b.n.i';
//|   parameter Real 'open.R' = 1;
//|   Real 'open.p.v';
//|   Real 'open.p.i';
//|   Real 'open.n.v';
//|   Real 'open.n.i';
//|   Real 'g.p.v';
//|   Real 'g.p.i';
//| equation
//|   's.p.v' - 's.n.v' = 10;
//|   's.p.i' + 's.n.i' = 0;
//|   'a.p.i' + 'a.n.i' = 0;
//|   'a.p.v' - 'a.n.v' = 'a.R'*'a.p.i';
//|   'b.p.i' + 'b.n.i' = 0;
//|   'b.p.v' - 'b.n.v' = 'b.R'*'b.p.i';
//|   'open.p.i' + 'open.n.i' = 0;
//|   'open.p.v' - 'open.n.v' = 'open.R'*'open.p.i';
//|   'g.p.v' = 0;
//|   's.p.v' = 'a.p.v';
//|   's.p.i' + 'a.p.i' = 0;
//|   'a.n.v' = 'b.p.v';
//|   'a.n.v' = 'open.p.v';
//|   'a.n.i' + 'b.p.i' + 'open.p.i' = 0;
//|   'b.n.v' = 's.n.v';
//|   'b.n.v' = 'g.p.v';
//|   'b.n.i' + 's.n.i' + 'g.p.i' = 0;
//|   'open.n.i' = 0;
//| end Net;
// expect: verdict=ok index=1 dof=0 unknowns=18 equations=18
