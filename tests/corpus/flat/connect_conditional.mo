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
//| model Top
//|   parameter Boolean 'a.heat' = false;
//|   parameter Boolean 'b.heat' = true;
//|   Real 'a.p.v';
//|   Real 'a.p.i';
//|   Real 'a.n.v';
//|   Real 'a.n.i';
//|   Real 'b.p.v';
//|   Real 'b.p.i';
//|   Real 'b.n.v';
//|   Real 'b.n.i';
//|   Real 'b.h.v';
//|   Real 'b.h.i';
//|   parameter Real 'f.u' = 3;
//|   Real 'f.p.v';
//|   Real 'f.p.i';
//|   parameter Real 'g.u' = 0;
//|   Real 'g.p.v';
//|   Real 'g.p.i';
//|   parameter Real 't.u' = 5;
//|   Real 't.p.v';
//|   Real 't.p.i';
//| equation
//|   'a.p.i' + 'a.n.i' = 0;
//|   'a.p.v' - 'a.n.v' = 'a.p.i';
//|   'b.p.i' + 'b.n.i' = 0;
//|   'b.p.v' - 'b.n.v' = 'b.p.i';
//|   'b.h.i' = -('b.p.v' - 'b.n.v')*'b.p.i';
//|   'f.p.v' = 'f.u';
//|   'g.p.v' = 'g.u';
//|   't.p.v' = 't.u';
//|   'f.p.v' = 'a.p.v';
//|   'f.p.i' + 'a.p.i' = 0;
//|   'a.n.v' = 'b.p.v';
//|   'a.n.i' + 'b.p.i' = 0;
//|   'b.n.v' = 'g.p.v';
//|   'b.n.i' + 'g.p.i' = 0;
//|   'b.h.v' = 't.p.v';
//|   'b.h.i' + 't.p.i' = 0;
//| end Top;
// expect: verdict=ok index=1 dof=0 unknowns=16 equations=16
