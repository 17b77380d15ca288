model Fold
  Real x(start = 0, fixed = true), z(start = 0);
equation
  der(x) = 1;
  z^2 = x;
end Fold;
