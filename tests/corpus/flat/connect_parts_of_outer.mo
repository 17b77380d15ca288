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
