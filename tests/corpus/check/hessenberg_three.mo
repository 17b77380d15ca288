// x' = f(x, y), y' = h(x, y, z), 0 = g(x): index 3 with states left over.
model HessenbergThree
  Real x1(start = 1), x2(start = 0.5), y1(start = 0.2), y2, z;
equation
  der(x1) = y1 + x2;
  der(x2) = y2 - x1;
  der(y1) = z - y1;
  der(y2) = 2*z + x1*y2;
  x1 + x2 = 1.5 + sin(time);
end HessenbergThree;
// expect: index=3 dof=2 constraint_count=1 hidden_count=2 unknowns=5 verdict=ok certificate=structural
// expect-equivalent: y1 + x2 + y2 - x1 = cos(time)
