model Loops
  parameter Integer n = 4;
  Real x[n], A[2,3], z[3];
equation
  for i in 1:n loop
    if i == 1 then
      x[i] = 1;
    elseif i < n then
      x[i] = x[i - 1] + i;
    else
      x[i] = x[end - 1]*x[i - 1];
    end if;
  end for;
  for i in 1:2, j in 1:3 loop
    A[i,j] = 10*i + j;
  end for;
  for k in 3:-1:1 loop
    for l in k:1 loop
      z[k + l - 1] = k;
    end for;
  end for;
  for i in {2, 3} loop
    z[i] = i;
  end for;
  for h in 0:0.5:0 loop
    0 = h + time - time*(1 + 2*h);
  end for;
end Loops;
// expect-count: rows=14 groups=14
// expect-row: x[1] = 1
// expect-row: x[2] = x[1] + 2
// expect-row: x[3] = x[2] + 3
// expect-row: x[4] = x[3]*x[3]
// expect-row: A[1,1] = 11
// expect-row: A[1,2] = 12
// expect-row: A[1,3] = 13
// expect-row: A[2,1] = 21
// expect-row: A[2,2] = 22
// expect-row: A[2,3] = 23
// expect-row: z[1] = 1
// expect-row: z[2] = 2
// expect-row: z[3] = 3
// expect-equation: x[1] = 1
// expect-equation: x[2] = x[1] + 2
