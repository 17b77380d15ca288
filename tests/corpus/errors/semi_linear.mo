model Top
  Real x, y, z, w;
equation
  x = semiLinear(y, {1, 2}, 3);
  y = semiLinear(z, 1);
  z = semiLinear(true, 1, 2);
  w = semiLinear(x, slope = 1, negativeSlope = 2);
end Top;
// expect-error: 5:7: semiLinear takes 3 arguments, but 2 are given
// expect-error: 7:21: semiLinear has no argument named slope; the first is x
// expect-error: 4:7: semiLinear takes scalars, but {1, 2} has size 2
// expect-error: 6:18: semiLinear needs numbers, but true is Boolean
