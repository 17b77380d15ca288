model M
  Real x, y;
equation
  x + y;
  sin(x);
end M;
// expect-error: 4:8: expected `=` in the equation, found `;`
// expect-error: 5:9: expected `=` in the equation, found `;`
