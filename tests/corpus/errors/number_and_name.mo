model M
  Real x, y;
equation
  x = 2y;
  y = .5*x;
end M;
// expect-error: 4:7: a letter follows the number 2 directly: write `*` between them, or a blank
// expect-error: 5:7: a number begins with a digit: write `0.5` for `.5`
