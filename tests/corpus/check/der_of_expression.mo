// der of expressions: der(a + b), der(x^2), der of a bound variable.
model DerOfExpression
  Real a(start = 1), b(start = 2), s = a + 2*b;
equation
  der(a + b) = -a;
  der(s) = -b^2;
end DerOfExpression;
// The rows are a' + b' and (after inserting the assignment) a' + 2 b'. As written s is a state tied to a and b:
// s' = a' + 2 b' needs one differentiation of the assignment, so the index is 1.
// expect: dof=2 unknowns=3 verdict=ok constraint_count=1 hidden_count=0 index=1
