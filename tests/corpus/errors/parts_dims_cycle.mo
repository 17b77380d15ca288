model Part Real x = 1; end Part;
model Top
  Part p[size(p, 1)];
  Part q[m];
  parameter Integer m = size(q, 1);
  Part r[n](each x = r.x);
  parameter Integer n = integer(sum(r.x));
end Top;
// expect-error: 3:8: what p is depends on itself
// expect-error: 4:8: what q is depends on itself
// expect-error: 6:8: what r is depends on itself
