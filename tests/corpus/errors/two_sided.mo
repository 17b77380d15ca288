model M
  Real x, y;
equation
  x = if 0 < y < 1 then 1 else 2;
end M;
// expect-error: 4:16: a <= b <= c is written as two relations: a <= b and b <= c (in a constraint section as two constraints)
