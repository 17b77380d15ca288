// y' = f(y, z), 0 = g(y), nonlinear: index 2.
model HessenbergTwo
  Real y1(start = 1), y2(start = 1), z(start = 1);
equation
  der(y1) = y2 + z^2*y1;
  der(y2) = -y1 - z*y2;
  y1*y2 = 1;
end HessenbergTwo;
// g' = y1' y2 + y1 y2' = y2^2 + z^2 y1 y2 - y1^2 - z y1 y2; its z-derivative (2 z - 1) y1 y2 is 1 at the start.
// expect: index=2 dof=1 constraint_count=1 hidden_count=1 unknowns=3 verdict=ok certificate=structural
// expect-equivalent: (y2 + z^2*y1)*y2 + y1*(-y1 - z*y2) = 0
