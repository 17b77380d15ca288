connector Pin Real v; flow Real i; end Pin;
model R Pin p, n; parameter Real R = 1; equation p.i + n.i = 0; p.v - n.v = R*p.i; end R;
model Top
  R r[3], q[2], s;
  Real x;
equation
  connect(r.p, q.p);
  connect(r[1].p, q.n);
  connect(r[4].p, s.p);
  connect(r[0].p, s.p);
  connect(r[1:2].p, q[1:3].p);
  connect(s.p[1], s.n);
end Top;
// expect-error: 7:3: r.p and q.p cannot be connected: the first is of size 3, the second of size 2
// expect-error: 8:3: r[1].p and q.n cannot be connected: the first is a single one, the second of size 2
// expect-error: 9:13: subscript 4 is out of range: r has size 3
// expect-error: 10:13: subscript 0 is out of range: r has size 3
// expect-error: 11:23: subscript 3 is out of range: q has size 2
// expect-error: 12:13: s.p is not an array: it takes no subscripts
