connector Pin Real v; flow Real i; end Pin;
connector Port Real v; flow Real q; end Port;
connector Mixed flow Real v; Real i; end Mixed;
connector Vec Real v[2]; flow Real i[2]; end Vec;
connector Vec3 Real v[3]; flow Real i[3]; end Vec3;
connector Cur = flow Real;
connector Sig = Real;
model A Pin a; Port b; Mixed c; Vec d; Cur f; Sig g; Vec3 h; end A;
model Top
  A x, y;
equation
  connect(x.a, y.b);
  connect(x.a, y.c);
  connect(x.a, y.d);
  connect(x.f, y.g);
  connect(x.a, y.f);
  connect(x.d, y.h);
end Top;
// expect-error: 12:3: y.b and x.a cannot be connected: y.b has q, which x.a does not have
// expect-error: 13:3: x.a.v and y.c.v cannot be connected: one is a flow, the other is not
// expect-error: 14:3: x.a.v and y.d.v cannot be connected: they have different sizes, a scalar and size 2
// expect-error: 15:3: x.f and y.g cannot be connected: one is a flow, the other is not
// expect-error: 16:3: x.a and y.f cannot be connected: y.f is a variable, x.a has members
// expect-error: 17:3: x.d.v and y.h.v cannot be connected: they have different sizes, size 2 and size 3
