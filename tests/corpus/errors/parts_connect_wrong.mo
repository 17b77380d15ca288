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
  connect(r.p, rr.p);
end Top;
// expect-error: 6:11: x is not a connector: connect joins components whose class is a `connector`
// expect-error: 7:11: r is not a connector: connect joins components whose class is a `connector`
// expect-error: 8:11: r.p.v is not a connector: connect joins components whose class is a `connector`
// expect-error: 9:11: r.R is not a connector: connect joins components whose class is a `connector`
// expect-error: 10:13: r has no member q
// expect-error: 11:11: z is not declared
// expect-error: 12:16: rr is not declared: did you mean r?
