model M
  Real x, y;
equation
  else
  x = 1;
end M;
// expect-error: 4:3: `else` without an `if` before it
