model M
  Real x, y;
equation
  x = 2 − y;
  y = α + 3;
  x = 5 % 2; # comment
end M;
// expect-error: 4:9: `−` (U+2212) is not allowed here: write `-`
// expect-error: 5:7: `α` (U+03B1) is not allowed here: names are made of ASCII letters, digits and `_`; others need quotes, as in 'α'
// expect-error: 6:9: `%` is not allowed here: the remainder of a/b is mod(a, b)
// expect-error: 6:14: `#` is not allowed here: comments begin with `//`
