model ThreeRoots
  Real x(start = 0, fixed = true), v(start = 1.5) = der(x);
equation
  der(x)^3 - 3*der(x) + x = 0;
end ThreeRoots;
