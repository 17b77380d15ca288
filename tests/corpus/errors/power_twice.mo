model M
  Real x, y;
equation
  x = y^2^3;
end M;
// expect-error: 4:10: two powers in a row need parentheses: (a^b)^c or a^(b^c)
