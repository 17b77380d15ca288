// eps z' = x - z^3: for eps = 0 a DAE of index 1 (Tikhonov).
model Perturbation
  parameter Real eps = 0.01;
  Real x(start = 1, fixed = true), z(start = 1);
equation
  der(x) = -z;
  eps*der(z) = x - z^3;
end Perturbation;
// expect: index=0 dof=2 kind=ode verdict=ok initial.missing=1
// run: --set eps=0
// expect: index=1 dof=1 constraint_count=1 hidden_count=0 kind=dae verdict=ok initial.missing=0
// expect-warning: eps
