model M
  Real x, y;
equation
  x = 2*-y;
  y = x^-1;
end M;
// expect-error: 4:9: a sign directly after an operator needs parentheses: a*(-b), a^(-2)
// expect-error: 5:9: a sign directly after an operator needs parentheses: a*(-b), a^(-2)
