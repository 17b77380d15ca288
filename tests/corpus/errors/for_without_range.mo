model M
  Real x, y;
equation
  x = sum(i for i);
  for j = 1:3 loop y = j; end for;
end M;
// expect-error: 4:18: expected `in` and the range of i, as in `for i in 1:n`, found `)`
// expect-error: 5:9: expected `in` and the range of j, as in `for j in 1:n`, found `=`
