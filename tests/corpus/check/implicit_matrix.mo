// M(x) x' = f(x) with a regular matrix that depends on x
model ImplicitMatrix
  Real x[2](start = {0.5, 0.2}, each fixed = true);
equation
  [2 + x[1]^2, sin(x[2]); -sin(x[2]), 1]*der(x) = {x[2], -x[1] + time};
end ImplicitMatrix;
// expect: index=0 dof=2 constraint_count=0 hidden_count=0 unknowns=2 kind=ode verdict=ok certificate=structural initial.missing=0 initial.excess=0
