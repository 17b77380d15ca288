model M
  Real 2x;
  Real a, 3b;
  Real y = 2y;
equation
  der(a) = 3z;
end M;
// expect-error: 2:8: expected a name for the variable, which cannot begin with a digit: put a letter or `_` before it
// expect-error: 3:11: expected a name for the variable, which cannot begin with a digit: put a letter or `_` before it
// expect-error: 4:12: a letter follows the number 2 directly: write `*` between them, or a blank
// expect-error: 6:12: a letter follows the number 3 directly: write `*` between them, or a blank
