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
//| model Top
//|   Real 'w.a.v';
//|   Real 'w.a.i';
//|   Real 'w.b.v';
//|   Real 'w.b.i';
//|   Real 'w.open.v';
//|   Real 'w.open.i';
//|   parameter Real 'f.u' = 4;
//|   Real 'f.p.v';
//|   Real 'f.p.i';
//|   Real 'l.p.v';
//|   Real 'l.p.i';
//| equation
//|   'f.p.v' = 'f.u';
//|   'l.p.v' = 2*'l.p.i';
//|   'w.a.v' = 'w.b.v';
//|   'w.a.v' = 'w.open.v';
//|   'w.a.i' + 'w.b.i' + 'w.open.i' = 0;
//|   'f.p.v' = 'w.a.v';
//|   'f.p.i' + 'w.a.i' = 0;
//|   'l.p.v' = 'w.b.v';
//|   'l.p.i' + 'w.b.i' = 0;
//|   'w.open.i' = 0;
//| end Top;
// expect: verdict=ok index=1 dof=0 unknowns=10 equations=10
