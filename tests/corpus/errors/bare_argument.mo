model M
  Real x, y, z;
equation
  der(x) = sin x;
  y = 2*(exp x + 1);
  z = max(cos 2, x);
end M;
// expect-error: 4:12: the argument of sin stands in parentheses: write `sin(x)`
// expect-error: 5:10: the argument of exp stands in parentheses: write `exp(x)`
// expect-error: 6:11: the argument of cos stands in parentheses: write `cos(2)`
