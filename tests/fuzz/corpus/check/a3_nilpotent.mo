model Nilpotent
  parameter Real E[3,3] = [0, 1, 0; 0, 0, 1; 0, 0, 0], A[3,3] = identity(3), B[3] = {0, 0, 1};
  input Real u;
  Real x[3];
equation
  E*der(x) = A*x + B*u;
end Nilpotent;
