model SemiExplicit
  input Real u;
  Real x(start = 1, fixed = true), z(start = 1), v;
equation
  der(x) = v;
  v + z*x + sin(v)/4 = u;
  z^3 + z - x*v = 2;
end SemiExplicit;
