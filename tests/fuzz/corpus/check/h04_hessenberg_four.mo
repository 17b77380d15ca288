model HessenbergFour
  Real a(start = 1), b, c, z, free(start = 1);
equation
  der(a) = b + free;
  der(b) = c - a;
  der(c) = z^3 + z - b;
  der(free) = -free + c;
  a = 2 + cos(time);
end HessenbergFour;
