model M
  Real x, y;
equation
  x = sin(y, 1) + atan2(y) + zeros();
  y = homotopy(actual = x, simple = 1) + sin(u = 2);
  x = mod(x, x = 2);
end M;
// expect-error: 4:7: sin takes 1 argument, 2 given
// expect-error: 4:19: atan2 takes 2 arguments, 1 given
// expect-error: 4:30: zeros takes at least 1 argument, 0 given
// expect-error: 5:28: homotopy has no argument named simple; the first is actual
// expect-error: 5:46: the arguments of sin have no names: leave out `u =`
// expect-error: 6:14: the arguments of mod do not fit: each is given once, those without a name first
