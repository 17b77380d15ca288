// A size that repeats another one of the same array, the value given from outside.
block StateSpace
  parameter Real A[:, size(A, 1)], B[size(A, 1), :];
  parameter Real C[:, size(A, 1)] = identity(size(A, 1));
  Real x[size(A, 1)](each start = 1, each fixed = true), y[size(C, 1)];
  input Real u[size(B, 2)];
equation
  der(x) = A*x + B*u;
  y = C*x;
end StateSpace;
model OwnSize
  StateSpace one(A = [-1], B = [1, 2], u = {time, 1}), two(A = [0, 1; -1, 0], B = [0; 1], C = [1, 1], u = {0});
end OwnSize;
// expect: index=1 dof=3 unknowns=8 verdict=ok
