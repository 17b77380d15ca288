model M
  Real x, y;
equation
  der(x) = -x y = 2;
end M;
// expect-error: 4:15: expected `;` after the equation, found `y`
