// An inductor fed by a current source: the voltage is a derivative.
model CurrentSourceInductor
  parameter Real L = 0.01;
  input Real Is;
  Real i, v;
equation
  i = Is;
  v = L*der(i);
end CurrentSourceInductor;
// expect: index=2 dof=0 constraint_count=1 hidden_count=1 unknowns=2 verdict=ok
// expect-equivalent: v = L*der(Is)
// expect-warning: der(Is)
