// The pendulum of the test problems, index 3, from the horizontal with lambda = 0.
model Pend3
  Real x(start = 1), y(start = 0), u(start = 0), v(start = 0), lam(start = 0);
equation
  der(x) = u;
  der(y) = v;
  der(u) = -2*x*lam;
  der(v) = -2*y*lam - 9.81;
  x^2 + y^2 - 1 = 0;
end Pend3;
// expect: index=3 dof=2 constraint_count=1 hidden_count=2 unknowns=5 verdict=ok certificate=structural
