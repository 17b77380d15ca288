// Matrix equations: Lyapunov-like flow with a symmetric constraint on one entry.
model Matrices
  parameter Real A[2,2] = [-1, 2; 0, -3];
  Real X[2,2](start = [1, 0; 0, 1]), u;
equation
  der(X) = A*X + X*transpose(A) + [1, 0; 0, 0]*u;
  X[1,1] = 1;
end Matrices;
// expect: index=2 dof=3 constraint_count=1 hidden_count=1 unknowns=5 verdict=ok
