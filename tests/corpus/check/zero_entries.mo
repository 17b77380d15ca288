// Zeros of a matrix that are written as such need no warning; many that are computed need one, not twelve.
model ZeroEntries
  parameter Real A[3,3] = [1, 0, 0; 0, 2, 0; 0, 0, 3], c = 0, B[3,3] = [1, c, c; c, 1, c; c, c, 1];
  Real x[3](each start = 1, each fixed = true), y[3];
equation
  A*der(x) = -x;
  B*y = x;
end ZeroEntries;
// expect: verdict=ok index=1 dof=3
// expect-no-warning: A[1,2]
// expect-warning: more terms drop out
