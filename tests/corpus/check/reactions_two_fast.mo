// Two fast equilibria among four species: two rates take the place of multipliers.
model TwoFast
  parameter Real K1 = 2, K2 = 0.5, q = 0.1;
  Real a(start = 1), b, c, d(start = 0), r1, r2;
equation
  der(a) = q*(1 - a) - r1;
  der(b) = -q*b + r1 - r2;
  der(c) = -q*c + r2 - 0.3*c;
  der(d) = -q*d + 0.3*c;
  b = K1*a;
  c = K2*b^2;
end TwoFast;
// expect: index=2 dof=2 constraint_count=2 hidden_count=2 unknowns=6 verdict=ok certificate=structural
