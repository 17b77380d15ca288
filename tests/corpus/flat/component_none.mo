// Arrays of no components, and of one.
model Part
  Real x = 1;
end Part;
model Top
  parameter Integer n = 0;
  Part p[n], q[1];
  Real s = sum(p.x) + sum(q.x), k = size(p, 1), v[n] = p.x;
equation
  for i in 1:n loop
    assert(p[i].x > 0, "positive");
  end for;
end Top;
// run: Top
// run: Top --set n=1
