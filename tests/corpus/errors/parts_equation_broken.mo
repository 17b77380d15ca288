model Part Real x, v[2]; equation x = v; v[3] = 1; q = 2; x = sum(zz); end Part;
model Top
  Part p[5000], q;
end Top;
// expect-error: 1:52: q is not declared
// expect-error: 1:67: zz is not declared
// expect-error: 1:35: the sides of this equation have different sizes: the left side is a scalar, the right side has size 2
// expect-error: 1:44: subscript 3 is out of range: p[1].v has size 2
// expect-note: 3:8: inside p[1], a Part declared here
