model DerOfExpression
  Real a(start = 1), b(start = 2), s = a + 2*b;
equation
  der(a + b) = -a;
  der(s) = -b^2;
end DerOfExpression;
