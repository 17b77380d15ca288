model Elimination
  input Real u;
  Real x(start = 1, fixed = true), z;
equation
  der(x) = u - x + z;
  0 = x*z - 1;
end Elimination;
