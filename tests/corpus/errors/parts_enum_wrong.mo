type E = enumeration(a, b);
type F = enumeration(p, q);
model Top
  parameter E e = E.c, f = 3, g = F.p, h = 1;
  Real x = if e == F.q then 1 else 2, y[E] = {1, 2, 3}, z = E;
equation
end Top;
// expect-error: 4:21: E has no member c
// expect-error: 4:24: f is of the enumeration E, but its value is not: write E.a
// expect-error: 4:31: g is of the enumeration E, but its value is not: write E.a
// expect-error: 4:40: h is of the enumeration E, but its value is not: write E.a
// expect-error: 5:39: y has size 2, but its value has size 3
// expect-error: 5:57: z is a scalar, but its value has size 2
