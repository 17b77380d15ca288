connector Pin Real v; flow Real i; end Pin;
model R Pin p, n; parameter Real R = 1; equation p.i + n.i = 0; p.v - n.v = R*p.i; end R;
connector Odd Real v; flow Real i, j; end Odd;
model A Odd o; equation o.v = 1; end A;
model Top A a[3]; R r; end Top;
// expect-error: 3:11: the connector Odd is not balanced: it has 2 flow variables, but 1 other; connecting would add too few equations
