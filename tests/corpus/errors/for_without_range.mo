model M
  Real x, y;
equation
  x = sum(i for i);
  for j = 1:3 loop y = j; end for;
  for k loop y = k + z[k + 1]; end for;
  y = sum(x[i + 1] for i);
end M;
// expect-error: 4:17: no array here has i alone as a subscript, which would determine its range: write `for i in 1:n`
// expect-error: 5:9: expected `in` and the range of j, as in `for j in 1:n`, found `=`
// expect-error: 6:3: no array here has k alone as a subscript
// expect-error: 7:24: no array here has i alone as a subscript
