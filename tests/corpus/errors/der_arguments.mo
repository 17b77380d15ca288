model M
  Real x, y;
equation
  der(x, 2) = 1;
  der x = 2;
end M;
// expect-error: 4:3: der takes one argument, 2 are given: a second derivative is der(der(x))
// expect-error: 5:7: expected `(` after der, as in der(x), found `x`
