model M
  Real x, y;
equation
  x = if y > 0 then 1;
  y = 1;
end M;
// expect-error: 4:22: an `if` expression needs an `else`, found `;`
