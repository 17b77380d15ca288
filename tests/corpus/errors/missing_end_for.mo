model M
  Real x, y;
equation
  for i in 1:2 loop
    x = y;
end M;
// expect-error: 6:1: expected `end for;` for the `for` in line 4, found `end`
