// A component with connectors of its own outside: inside it their flows count negative.
connector Pin Real v; flow Real i; end Pin;
model Resistor
  parameter Real R = 1;
  Pin p, n;
equation
  p.i + n.i = 0;
  p.v - n.v = R*p.i;
end Resistor;
model Parallel "two resistors between outer pins, and one that leads nowhere"
  Pin p, n;
  Resistor a(R = 2), b(R = 3), c;
equation
  connect(p, a.p);
  connect(p, b.p);
  connect(a.n, n);
  connect(b.n, n);
  connect(c.p, p);
end Parallel;
model Fixed
  parameter Real u = 0;
  Pin p;
equation
  p.v = u;
end Fixed;
model Top
  Parallel x;
  Fixed f(u = 1), g;
equation
  connect(f.p, x.p);
  connect(g.p, x.n);
end Top;
//| model Top
//|   Real 'x.p.v';
//|   Real 'x.p.i';
//|   Real 'x.n.v';
//|   Real 'x.n.i';
//|   parameter Real 'x.a.R' = 2;
//|   Real 'x.a.p.v';
//|   Real 'x.a.p.i';
//|   Real 'x.a.n.v';
//|   Real 'x.a.n.i';
//|   parameter Real 'x.b.R' = 3;
//|   Real 'x.b.p.v';
//|   Real 'x.b.p.i';
//|   Real 'x.b.n.v';
//|   Real 'x.b.n.i';
//|   parameter Real 'x.c.R' = 1;
//|   Real 'x.c.p.v';
//|   Real 'x.c.p.i';
//|   Real 'x.c.n.v';
//|   Real 'x.c.n.i';
//|   parameter Real 'f.u' = 1;
//|   Real 'f.p.v';
//|   Real 'f.p.i';
//|   parameter Real 'g.u' = 0;
//|   Real 'g.p.v';
//|   Real 'g.p.i';
//| equation
//|   'x.a.p.i' + 'x.a.n.i' = 0;
//|   'x.a.p.v' - 'x.a.n.v' = 'x.a.R'*'x.a.p.i';
//|   'x.b.p.i' + 'x.b.n.i' = 0;
//|   'x.b.p.v' - 'x.b.n.v' = 'x.b.R'*'x.b.p.i';
//|   'x.c.p.i' + 'x.c.n.i' = 0;
//|   'x.c.p.v' - 'x.c.n.v' = 'x.c.R'*'x.c.p.i';
//|   'f.p.v' = 'f.u';
//|   'g.p.v' = 'g.u';
//|   'x.p.v' = 'x.a.p.v';
//|   'x.p.v' = 'x.b.p.v';
//|   'x.p.v' = 'x.c.p.v';
//|   -'x.p.i' + 'x.a.p.i' + 'x.b.p.i' + 'x.c.p.i' = 0;
//|   'x.a.n.v' = 'x.n.v';
//|   'x.a.n.v' = 'x.b.n.v';
//|   'x.a.n.i' - 'x.n.i' + 'x.b.n.i' = 0;
//|   'f.p.v' = 'x.p.v';
//|   'f.p.i' + 'x.p.i' = 0;
//|   'g.p.v' = 'x.n.v';
//|   'g.p.i' + 'x.n.i' = 0;
//|   'x.c.n.i' = 0;
//| end Top;
// expect: verdict=ok index=1 dof=0 unknowns=20 equations=20
