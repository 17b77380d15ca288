model M
  Real x, y;
equation
  if 1 then
    x = 1;
  end if;
  if unknown then
    y = 1;
  end if;
end M;
// expect-error: 4:6: a condition needs Booleans, but 1 is a number
// expect-error: 7:6: unknown is not declared
