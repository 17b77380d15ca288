// Four levels: index 4.
model HessenbergFour
  Real a(start = 1), b, c, z, free(start = 1);
equation
  der(a) = b + free;
  der(b) = c - a;
  der(c) = z^3 + z - b;
  der(free) = -free + c;
  a = 2 + cos(time);
end HessenbergFour;
// expect: index=4 dof=1 constraint_count=1 hidden_count=3 unknowns=5 verdict=ok certificate=structural
