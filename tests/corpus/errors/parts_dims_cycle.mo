model Part Real x = 1; end Part;
model Top
  Part p[size(p, 1)];
  Part q[m];
  parameter Integer m = size(q, 1);
  Part r[n](each x = r.x);
  parameter Integer n = integer(sum(r.x));
end Top;
// expect-error: 3:8: the type or size of p depends on itself
// expect-error: 4:8: the type or size of q depends on itself
// expect-error: 6:8: the type or size of r depends on itself
