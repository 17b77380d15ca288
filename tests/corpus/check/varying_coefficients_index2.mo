// Ascher and Petzold's linear problem of index 2 with time-varying coefficients.
model Ap2
  parameter Real a = 10;
  Real x1(start = 1), x2(start = 1), z(start = -0.5);
equation
  der(x1) = (a - 1/(2 - time))*x1 + (2 - time)*a*z + (3 - time)/(2 - time)*exp(time);
  der(x2) = (1 - a)/(time - 2)*x1 - x2 + (a - 1)*z + 2*exp(time);
  (time + 2)*x1 + (time^2 - 4)*x2 = (time^2 + time - 2)*exp(time);
end Ap2;
// expect: index=2 dof=1 constraint_count=1 hidden_count=1 unknowns=3 verdict=ok certificate=structural
