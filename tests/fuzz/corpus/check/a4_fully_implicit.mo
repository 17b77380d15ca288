model FullyImplicit
  input Real u;
  Real x(start = 1, fixed = true), z(start = 1);
equation
  der(x) + z*x + sin(der(x))/4 = u;
  z^3 + z - x*der(x) = 2;
end FullyImplicit;
