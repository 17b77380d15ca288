// x^2 + y^2 = -1 has no real solution: nothing can be confirmed at a point.
model CircleOutside
  Real x(start = 1), y(start = 1);
equation
  der(x) = y;
  x^2 + y^2 = -1;
end CircleOutside;
// expect: verdict=ok|inconsistent certificate=undecided|structural
// expect-warning-or-reason: x^2 + y^2 = -1 | x^2 + y^2 + 1 = 0
