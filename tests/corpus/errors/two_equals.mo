model M
  Real x, y;
equation
  x = y = 3;
end M;
// expect-error: 4:9: two `=` in one equation: write a = b; b = c;
