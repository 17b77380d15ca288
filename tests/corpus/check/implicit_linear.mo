// x' + sin(x + 1) = sin(2 t)
model ImplicitLinear
  Real x(start = 0.2, fixed = true);
equation
  der(x) + sin(x + 1) = sin(2*time);
end ImplicitLinear;
// expect: index=0 dof=1 constraint_count=0 hidden_count=0 unknowns=1 equations=1 kind=ode verdict=ok certificate=structural initial.missing=0 initial.excess=0
