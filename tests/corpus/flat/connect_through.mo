// Outer connectors joined with each other, and an outer connector that nothing inside is connected to.
connector Pin Real v; flow Real i; end Pin;
model Wire
  Pin a, b, open;
equation
  connect(a, b);
  connect(b, open);
end Wire;
model Fixed
  parameter Real u = 0;
  Pin p;
equation
  p.v = u;
end Fixed;
model Load
  Pin p;
equation
  p.v = 2*p.i;
end Load;
model Top
  Wire w;
  Fixed f(u = 4);
  Load l;
equation
  connect(f.p, w.a);
  connect(l.p, w.b);
end Top;
