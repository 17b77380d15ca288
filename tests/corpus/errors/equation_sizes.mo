model M
  Real p[3], A[2,3], x;
equation
  p = zeros(2);
  p = 0;
  A = p;
  x = p;
end M;
// expect-error: 4:3: the sides of this equation have different sizes: the left side has size 3, the right side has size 2
// expect-error: 5:3: the sides of this equation have different sizes: the left side has size 3, the right side is a scalar
// expect-error: 6:3: the sides of this equation have different sizes: the left side has size 2 x 3, the right side has size 3
// expect-error: 7:3: the sides of this equation have different sizes: the left side is a scalar, the right side has size 3
