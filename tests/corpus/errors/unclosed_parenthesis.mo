model M
  Real x, y;
equation
  x = (y + 1;
  y = sin(x;
  y = {1, 2;
end M;
// expect-error: 4:13: expected `)` to close the parenthesis, found `;`
// expect-error: 5:12: expected `)` after the arguments, found `;`
// expect-error: 6:12: expected `}` or `,` in the array, found `;`
