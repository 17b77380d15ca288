// With inertia M: M x' = f + J l, G x = 0
model Inertia
  parameter Real M[2,2] = [2, 1; 1, 3], G[2] = {1, 2};
  Real x[2](start = {2, -1}), l;
equation
  M*der(x) = {x[2], -x[1]} + G*l;
  G*x = 0;
end Inertia;
// expect: index=2 dof=1 constraint_count=1 hidden_count=1 unknowns=3 verdict=ok certificate=structural|converted
