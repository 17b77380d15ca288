model TooFew
  Real x, y, z;
equation
  der(x) = -x;
  y + z = x;
end TooFew;
