// Elementwise operators, sums over arrays, slices and ends of arrays in constraints.
model Elementwise
  parameter Integer n = 4;
  parameter Real k[n] = {1, 2, 3, 4};
  Real x[n](start = {0.5, 0.5, 0.5, 0.5}), y[n], s;
equation
  der(x) = -k.*x + fill(s, n);
  y = x.^2 ./ (k .+ 1);
  sum(x[1:end - 1]) + product(x[2:end]) = 1.625;
end Elementwise;
// expect: index=2 dof=3 constraint_count=5 hidden_count=1 unknowns=9 verdict=ok certificate=structural
// expect-equivalent: 3*s - x[1] - 2*x[2] - 3*x[3] + x[3]*x[4]*(s - 2*x[2]) + x[2]*x[4]*(s - 3*x[3]) + x[2]*x[3]*(s - 4*x[4]) = 0
