// x^2 + y^2 = -1 has no real solution: the equations contradict each other, whatever the start.
model CircleOutside
  Real x(start = 1), y(start = 1);
equation
  der(x) = y;
  x^2 + y^2 = -1;
end CircleOutside;
// expect: verdict=inconsistent
// expect-reason: x^2 + y^2 = -1
