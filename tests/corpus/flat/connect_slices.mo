// Slices of arrays of components are connected element by element.
connector Pin Real v; flow Real i; end Pin;
model Resistor
  parameter Real R = 1;
  Pin p, n;
equation
  p.i + n.i = 0;
  p.v - n.v = R*p.i;
end Resistor;
model Fixed
  parameter Real u = 0;
  Pin p;
equation
  p.v = u;
end Fixed;
model Chain
  parameter Integer n = 3;
  Resistor r[n](R = {1, 2, 3});
  Fixed left(u = 6), right;
equation
  connect(r[1:n-1].n, r[2:n].p);
  connect(left.p, r[1].p);
  connect(right.p, r[end].n);
end Chain;
