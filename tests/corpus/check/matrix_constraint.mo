// A linear constraint A x = b(t) with a matrix, two multipliers.
model MatrixConstraint
  parameter Real A[2,4] = [1, 2, 0, 1; 0, 1, 1, -1];
  Real x[4](start = {1, 0, 0, 0}), l[2];
equation
  der(x) = -x + transpose(A)*l;
  A*x = {1 + sin(time), cos(time)};
end MatrixConstraint;
// expect: index=2 dof=2 constraint_count=2 hidden_count=2 unknowns=6 verdict=ok certificate=structural
// expect-equivalent: A*(-x + transpose(A)*l) = {cos(time), -sin(time)}
