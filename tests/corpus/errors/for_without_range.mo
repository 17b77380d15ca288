model M
  Real x, y;
equation
  for i loop
    x = i;
  end for;
  for j = 1:3 loop y = j; end for;
end M;
// expect-error: 4:9: expected `in` and the range of i, as in `for i in 1:n`, found `loop`
// expect-error: 7:9: expected `in` and the range of j, as in `for j in 1:n`, found `=`
