// u x' + x = 0: an ODE for u = 2, the algebraic equation x = 0 for u = 0.
model LeadingParameter
  parameter Real u = 2;
  Real x(start = 1);
equation
  u*der(x) + x = 0;
end LeadingParameter;
// expect: index=0 dof=1 constraint_count=0 hidden_count=0 kind=ode verdict=ok
// run: --set u=0
// expect: index=1 dof=0 constraint_count=1 hidden_count=0 kind=algebraic verdict=ok
// expect-warning: u
