model M
  Real p[3](start = {1, 2}, fixed = {true}, each min = {1, 2, 3});
  Real x(start = {1}) = 1;
equation
  p = zeros(3);
end M;
// expect-error: 2:13: p has size 3, but start has size 2
// expect-error: 2:29: p has size 3, but fixed has size 1
// expect-error: 2:50: `each` sets every element to the same value, but min has size 3: leave out `each`
// expect-error: 3:10: x is a scalar, but start has size 1
