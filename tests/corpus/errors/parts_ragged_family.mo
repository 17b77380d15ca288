model Part parameter Integer n = 1; Real v[n] = fill(1, n); Part2 q[n]; end Part;
model Part2 Real x = 1; end Part2;
model Top
  Part p[2](n = {1, 2});
  Real s = sum(p.v), t = sum(p.q.x);
end Top;
// expect-error: 5:16: p.v refers to members of several components, but p[2].v has another size than p[1].v
// expect-error: 5:30: p.q.x refers to members of several components, but they differ in size: p[2].q is not like p[1].q
