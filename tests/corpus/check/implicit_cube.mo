// x'^3 + x = 0: regular where x' is not 0
model ImplicitCube
  Real x(start = -1, fixed = true);
equation
  der(x)^3 + x = 0;
end ImplicitCube;
// expect: index=0 dof=1 constraint_count=0 hidden_count=0 unknowns=1 kind=ode verdict=ok certificate=structural initial.missing=0 initial.excess=0
