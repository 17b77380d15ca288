model Part Real x = 1; end Part;
model Top
  parameter Integer n = -2;
  Part p[n], q[1.5], r[true], s[:], t[x];
  Real x = 1;
end Top;
// expect-error: 4:10: the size of p is -2: sizes are 0 or more
// expect-error: 4:16: this must be an Integer, but 1.5 is Real; div(a, b) and integer(x) return Integers
// expect-error: 4:24: this must be an Integer, but true is Boolean
// expect-error: 4:31: the number of elements of s must be given: s[n]
// expect-error: 4:39: only parameters and constants are allowed here, but x is a variable
