model M
  Real x, y;
equation
  for i in 1:2 loop
    x = y;
  end if;
  y = 2;
end M;
// expect-error: 6:3: expected `end for;` for the `for` in line 4, found `end`
