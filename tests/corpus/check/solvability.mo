// 0 = (x - 1) z - 1 loses its unknown z at x = 1.
model Solvability
  Real x(start = 3, fixed = true), z;
equation
  der(x) = -1;
  0 = (x - 1)*z - 1;
end Solvability;
// expect: index=1 dof=1 constraint_count=1 verdict=ok certificate=structural
