// The same with an input: generic without a value, decided by --set.
model LeadingInput
  input Real u;
  Real x(start = 1);
equation
  u*der(x) + x = 0;
end LeadingInput;
// expect: index=0 dof=1 kind=ode verdict=ok
// expect-warning: u = 0
// run: --set u=2
// expect: index=0 dof=1 kind=ode verdict=ok
// run: --set u=0
// expect: index=1 dof=0 constraint_count=1 kind=algebraic verdict=ok
