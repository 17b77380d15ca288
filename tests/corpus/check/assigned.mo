// An ODE with assigned variables: a DAE of index 1 by the definition.
model Assigned
  Real x(start = 1, fixed = true), y = 2*x, z = x + y + time;
equation
  der(x) = -z;
end Assigned;
// expect: index=1 dof=1 constraint_count=2 hidden_count=0 unknowns=3 equations=3 kind=dae assigned_count=2 verdict=ok certificate=structural
