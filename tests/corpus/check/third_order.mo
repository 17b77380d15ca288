// x''' + x'' x + x'^2 = u, nonlinear, of third order
model ThirdOrder
  input Real u;
  Real x(start = 1);
equation
  der(der(der(x))) + der(der(x))*x + der(x)^2 = u;
end ThirdOrder;
// expect: index=0 dof=3 constraint_count=0 hidden_count=0 unknowns=3 equations=3 kind=ode verdict=ok initial.missing=3
