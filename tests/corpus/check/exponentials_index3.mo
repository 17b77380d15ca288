// Jay's problem of index 3 with the solution y1 = z1 = exp(2 t), y2 = z2 = exp(-t), u = exp(t).
model Jay3
  Real y1(start = 1), y2(start = 1), z1(start = 1), z2(start = 1), u(start = 1);
equation
  der(y1) = 2*y1*y2*z1*z2;
  der(y2) = -y1*y2*z2^2;
  der(z1) = (y1*y2 + z1*z2)*u;
  der(z2) = -y1*y2^2*z2^2*u;
  y1*y2^2 = 1;
end Jay3;
// expect: index=3 dof=2 constraint_count=1 hidden_count=2 unknowns=5 verdict=ok certificate=structural
