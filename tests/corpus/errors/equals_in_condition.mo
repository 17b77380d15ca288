model M
  Real x, y;
equation
  x = if y = 0 then 1 else 2;
end M;
// expect-error: 4:12: expected `then`, found `=`: two values are compared with `==`
