// Two unknowns of different order: x'' = y, y' = -x.
model MixedOrders
  Real x, y;
equation
  der(der(x)) = y;
  der(y) = -x;
end MixedOrders;
// expect: index=0 dof=3 constraint_count=0 hidden_count=0 unknowns=3 equations=3 kind=ode verdict=ok
