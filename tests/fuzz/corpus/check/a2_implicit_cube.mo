model ImplicitCube
  Real x(start = -1, fixed = true);
equation
  der(x)^3 + x = 0;
end ImplicitCube;
