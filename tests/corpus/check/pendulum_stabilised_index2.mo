// The pendulum of pendulum_index3.mo in its stabilised form, index 2 (Gear, Gupta and Leimkuhler).
model Pend2Ggl
  Real x(start = 1), y(start = 0), u(start = 0), v(start = 0), lam(start = 0), mu(start = 0);
equation
  der(x) = u - 2*x*mu;
  der(y) = v - 2*y*mu;
  der(u) = -2*x*lam;
  der(v) = -2*y*lam - 9.81;
  x^2 + y^2 - 1 = 0;
  x*u + y*v = 0;
end Pend2Ggl;
// expect: index=2 dof=2 constraint_count=2 hidden_count=2 unknowns=6 verdict=ok certificate=structural
