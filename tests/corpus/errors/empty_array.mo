model M
  Real x, y;
equation
  x = sum({});
end M;
// expect-error: 4:11: {} has no elements: an empty vector is zeros(0)
