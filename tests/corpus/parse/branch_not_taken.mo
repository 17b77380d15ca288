// the branch not taken is neither evaluated nor checked: no 0/0, no subscript out of range
model Branch
  parameter Integer n = 2;
  parameter Boolean wide = false;
  parameter Real k = 0;
  Real x[n], y, r;
equation
  for i in 1:n loop
    if i > 1 then
      x[i] = x[i - 1];
    else
      x[i] = 1;
    end if;
  end for;
  if wide then
    y = x[3] + x[4]/0;
  else
    y = x[2];
  end if;
  r = if k == 0 then 1 else 1/k;
end Branch;
// expect-count: rows=4 groups=4
// expect-row: x[1] = 1
// expect-row: x[2] = x[1]
// expect-row: y = x[2]
// expect-var: wide structural=true
