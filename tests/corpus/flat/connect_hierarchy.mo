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
