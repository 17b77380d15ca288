// E x' = A x + B u with a nilpotent E: x3 = -u, x2 = -u', x1 = -u''
model Nilpotent
  parameter Real E[3,3] = [0, 1, 0; 0, 0, 1; 0, 0, 0], A[3,3] = identity(3), B[3] = {0, 0, 1};
  input Real u;
  Real x[3];
equation
  E*der(x) = A*x + B*u;
end Nilpotent;
// expect: index=3 dof=0 constraint_count=1 hidden_count=2 unknowns=3 equations=3 kind=dae verdict=ok certificate=structural initial.missing=0
// expect-equivalent: x[3] + u = 0
// expect-equivalent: x[2] + der(u) = 0
// expect-equivalent: x[1] + der(der(u)) = 0
// expect-warning: der(u)
// expect-warning: der(der(u))
// run: --set u=sin(3*time)
// expect: index=3 dof=0 constraint_count=1 hidden_count=2 verdict=ok
