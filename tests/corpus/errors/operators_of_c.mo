model M
  Real x, y;
equation
  x = if y != 0 && y > 1 || !(y > 2) then y**2 else 0;
end M;
// expect-error: 4:12: `!=` is written `<>`
// expect-error: 4:17: `&&` is written `and`
// expect-error: 4:26: `||` is written `or`
// expect-error: 4:29: `!` is written `not`
// expect-error: 4:44: `**` is written `^`
