model M
  Real x, y;
equation
  if x > 0 then
    y = 1;
  else
    y = 2;
    x = 3;
  end if;
  if time > 1 then
    x = 1;
  end if;
  if x > 1 then
    for i in 1:2 loop y = i; end for;
  else
    y = 2;
  end if;
end M;
// expect-error: 6:3: the branches of an `if` whose condition changes with time need the same number of equations; the first has 1, this one 2
// expect-error: 10:3: an `if` whose condition changes with time needs an `else` with the same number of equations
// expect-error: 14:5: only plain equations are allowed in an `if` whose condition changes with time; anything else there is not supported yet
