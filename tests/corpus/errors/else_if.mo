model M
  Real x, y;
equation
  if y > 0 then
    x = 1;
  else if y < 0 then
    x = 2;
  else
    x = 3;
  end if;
end M;
// expect-error: 11:1: expected `end if;` for the `if` in line 4, found `end`; `else if` opens a second `if`: write `elseif`
