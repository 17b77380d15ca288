model M
  Real x, y;
equation
  x = if y > 0 x else y;
  y = 1;
end M;
// expect-error: 4:16: expected `then` after the condition, found `x`
