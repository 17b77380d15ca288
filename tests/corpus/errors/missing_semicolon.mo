model M
  Real x, y;
equation
  der(x) = -x
  y = 2*x;
end M;
// expect-error: 4:14: missing `;` after the equation
