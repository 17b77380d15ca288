// Constraints from a comprehension: masses on a line at given distances.
model Comprehension
  parameter Integer N = 4;
  parameter Real d[N - 1] = {0.5, 1, 1.5};
  Real x[N](start = {0, 0.5, 1.5, 3}), v[N](start = {1, 1, 1, 1}) = der(x), lam[N - 1];
equation
  lagrange(q = x, T = 0.5*(v*v), V = 0.5*sum({x[i]^2 for i in 1:N}), c = {x[i + 1] - x[i] - d[i] for i in 1:N - 1}, lambda = lam);
end Comprehension;
// expect: index=3 dof=2 constraint_count=3 hidden_count=6 unknowns=11 verdict=ok certificate=structural
// expect-equivalent: v[2] - v[1] = 0
