model IfWithTime
  Real x(start = 1), y, z, s, p[2];
equation
  if x > 0 then
    y = x;
    z = 1;
  elseif x < -1 then
    y = 2*x;
    z = 2;
  else
    y = 0;
    z = 3;
  end if;
  der(x) = if time < 1 then -x else 0;
  if y > 1 then
    s = 1;
    p = {1, 2};
  else
    2*s + y = 2;
    2*p = {3, x};
  end if;
end IfWithTime;
// expect-count: rows=6 groups=5
// expect-row: y = if x > 0 then x elseif x < -1 then 2*x else 0
// expect-row: z = if x > 0 then 1 elseif x < -1 then 2 else 3
// expect-row: der(x) = if time < 1 then -x else 0
// expect-row: 0 = if y > 1 then 1 - s else 2 - 2*s - y
// expect-row: p = if y > 1 then {1, 2} else {3 - 2*p[1] + p[1], x - 2*p[2] + p[2]}
// expect-equation: y = if x > 0 then x elseif x < -1 then 2*x else 0
