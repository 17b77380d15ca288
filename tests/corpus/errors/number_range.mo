model M
  Real x = 1e999;
end M;
// expect-error: 2:12: this number is too large: the largest is about 1.8e308
