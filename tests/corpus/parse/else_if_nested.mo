// `else if` is an if inside else, with an end of its own
model Nested
  parameter Integer k = 2;
  Real x;
equation
  if k == 1 then
    x = 1;
  else if k == 2 then
      x = 2;
    else
      x = 3;
    end if;
  end if;
end Nested;
// expect-row: x = 2
