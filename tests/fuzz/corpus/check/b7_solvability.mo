model Solvability
  Real x(start = 3, fixed = true), z;
equation
  der(x) = -1;
  0 = (x - 1)*z - 1;
end Solvability;
