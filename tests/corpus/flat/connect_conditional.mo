// A conditional connector that is not there takes its connections with it.
connector Pin Real v; flow Real i; end Pin;
model Resistor
  parameter Boolean heat = false;
  Pin p, n;
  Pin h if heat;
equation
  p.i + n.i = 0;
  p.v - n.v = p.i;
  if heat then
    h.i = -(p.v - n.v)*p.i;
  end if;
end Resistor;
model Fixed
  parameter Real u = 0;
  Pin p;
equation
  p.v = u;
end Fixed;
model Top
  Resistor a, b(heat = true);
  Fixed f(u = 3), g, t(u = 5);
equation
  connect(f.p, a.p);
  connect(a.n, b.p);
  connect(b.n, g.p);
  connect(a.h, t.p);
  connect(b.h, t.p);
end Top;
