model Part parameter Real k = 1, v[2] = {1, 2}; Real x = k + sum(v); end Part;
model Top
  Part a[3](k = {1, 2}), b[2](v = {1, 2, 3}), c[2](k = {1, 2, 3}), d[2](x(start = {1, 2, 3})), e[2](each k = {1, 2}), f[2](v = [1, 2, 3; 4, 5, 6]);
end Top;
// expect-error: 3:17: 2 values for an array of 3 components: an array has a value for each of them, `each` sets all to the same
// expect-note: 1:27: a[1].k is declared here
// expect-error: 3:35: 3 values for an array of 2 components: an array has a value for each of them, `each` sets all to the same
// expect-note: 1:34: b[1].v is declared here
// expect-error: 3:56: 3 values for an array of 2 components: an array has a value for each of them, `each` sets all to the same
// expect-note: 1:27: c[1].k is declared here
// expect-error: 3:106: e[1].k is a scalar, but its value has size 2
// expect-note: 1:27: e[1].k is declared here
// expect-error: 3:124: f[1].v has size 2, but its value has size 3
// expect-note: 1:34: f[1].v is declared here
// expect-error: 3:83: 3 values for an array of 2 components: an array has a value for each of them, `each` sets all to the same
// expect-note: 1:54: d[1].x is declared here
