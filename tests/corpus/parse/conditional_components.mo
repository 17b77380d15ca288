model Part
  Real x = 1;
end Part;
model Top
  parameter Boolean on = true, off = false;
  parameter Integer n = 2;
  Part a if on;
  Part b if off "not there" annotation(x = 1);
  Part c[n] if n > 1 and not off;
end Top;
// expect-model: Top
// expect-count: vars=6 rows=3
// expect-equation: a.x = 1
