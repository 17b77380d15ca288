model M
  Real x, y;
equation
  x = 2(y + 1);
  y = (x)(3);
end M;
// expect-error: 4:8: found `(` after a value: write `*` for a product; only a name can be followed by arguments or a time
// expect-error: 5:10: found `(` after a value: write `*` for a product; only a name can be followed by arguments or a time
