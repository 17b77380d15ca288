model M
  Real x, y;
equation
  for i in 1:4000, j in 1:4000 loop
  end for;
  for i in 1:100000000 loop
    x = i;
  end for;
end M;
// expect-error: 4:3: the loops of the model run more than 10000000 times in all, the limit
// expect-error: 6:12: the range 1:100000000 has 100000000 values, more than the limit of 10000000
