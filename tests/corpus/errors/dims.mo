model M
  parameter Integer n = -1;
  parameter Real r = 2.5;
  Real x, a[n], b[r], c[x], d[2, :], e[1000000, 1000000], f[1000000000000], g[1,1,1,1,1,1,1];
equation
  x = 1;
end M;
// expect-error: 4:78: g has more than 6 dimensions, the limit
// expect-error: 4:13: the size of a is -1: sizes are 0 or more
// expect-error: 4:19: this must be an Integer, but r is Real; div(a, b) and integer(x) return Integers
// expect-error: 4:25: only parameters and constants are allowed here, but x is a variable
// expect-error: 4:29: d has a size `:` that comes from its value, but no value is given
// expect-error: 4:38: e would have 1000000000000 elements; a model can have 10000000 scalar variables
// expect-error: 4:61: f would have 1000000000000 elements; a model can have 10000000 scalar variables
