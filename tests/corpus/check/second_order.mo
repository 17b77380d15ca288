// x'' = -5 x' - 2 x
model SecondOrder
  Real x(start = 1, fixed = true);
initial equation
  der(x) = 0;
equation
  der(der(x)) = -5*der(x) - 2*x;
end SecondOrder;
// expect: index=0 structural_index=0 dof=2 constraint_count=0 hidden_count=0 unknowns=2 equations=2 kind=ode verdict=ok certificate=structural initial.missing=0 initial.excess=0
