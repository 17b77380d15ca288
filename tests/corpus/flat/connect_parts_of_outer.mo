// Pins of an outer plug connected one by one with pins of components.
connector Pin Real v; flow Real i; end Pin;
connector Plug Pin a, b; end Plug;
model Resistor
  Pin p, n;
equation
  p.i + n.i = 0;
  p.v - n.v = p.i;
end Resistor;
model Box
  Plug plug;
  Resistor r;
equation
  connect(plug.a, r.p);
  connect(plug.b, r.n);
end Box;
model Supply
  Plug plug;
equation
  plug.a.v = 1;
  plug.b.v = 0;
end Supply;
model Top
  Box box;
  Supply s;
equation
  connect(s.plug, box.plug);
end Top;
//| model Top
//|   Real 'box.plug.a.v';
//|   Real 'box.plug.a.i';
//|   Real 'box.plug.b.v';
//|   Real 'box.plug.b.i';
//|   Real 'box.r.p.v';
//|   Real 'box.r.p.i';
//|   Real 'box.r.n.v';
//|   Real 'box.r.n.i';
//|   Real 's.plug.a.v';
//|   Real 's.plug.a.i';
//|   Real 's.plug.b.v';
//|   Real 's.plug.b.i';
//| equation
//|   'box.r.p.i' + 'box.r.n.i' = 0;
//|   'box.r.p.v' - 'box.r.n.v' = 'box.r.p.i';
//|   's.plug.a.v' = 1;
//|   's.plug.b.v' = 0;
//|   'box.plug.a.v' = 'box.r.p.v';
//|   -'box.plug.a.i' + 'box.r.p.i' = 0;
//|   'box.plug.b.v' = 'box.r.n.v';
//|   -'box.plug.b.i' + 'box.r.n.i' = 0;
//|   's.plug.a.v' = 'box.plug.a.v';
//|   's.plug.a.i' + 'box.plug.a.i' = 0;
//|   's.plug.b.v' = 'box.plug.b.v';
//|   's.plug.b.i' + 'box.plug.b.i' = 0;
//| end Top;
// expect: verdict=ok index=1 dof=0 unknowns=12 equations=12
