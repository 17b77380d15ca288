model ThreeSums
  Real x(start = 1), y(start = 1), z(start = 1);
equation
  der(x) + 2*der(y) + 3*der(z) = x;
  2*der(x) + 4*der(y) + 6*der(z) = y*z + 1;
  -der(x) - 2*der(y) - 3*der(z) = time - z;
end ThreeSums;
