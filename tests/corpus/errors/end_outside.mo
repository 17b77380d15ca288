model M
  Real x, y;
equation
  x = y + end;
end M;
// expect-error: 4:11: expected an expression, found `end` (which is a value only inside subscripts)
