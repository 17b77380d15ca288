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
