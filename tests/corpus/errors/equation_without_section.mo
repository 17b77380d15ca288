model M
  Real x, y;
  der(x) = -x;
  y = 2*x;
  x[1] = 3;
end M;
// expect-error: 3:3: equations belong in an equation section: put `equation` on a line before this one
// expect-error: 4:3: equations belong in an equation section: put `equation` on a line before this one
// expect-error: 5:3: equations belong in an equation section: put `equation` on a line before this one
