connector Pin Real v; flow Real i; end Pin;
model R Pin p, n; parameter Real R = 1; equation p.i + n.i = 0; p.v - n.v = R*p.i; end R;
model Top
  R r, s; Real x, y;
equation
  connect(x, y);
  connect(r, s);
  connect(r.p.v, s.p.v);
  connect(r.R, s.R);
  connect(r.q, s.p);
  connect(z.p, s.p);
  connect(r.p, 3);
  connect(r.p, s.p + s.n);
end Top;
// expect-error: 12:16: connect joins two connectors, as in connect(a.p, b.n)
// expect-error: 13:16: connect joins two connectors, as in connect(a.p, b.n)
