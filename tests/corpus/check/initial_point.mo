// (x1 - x2) x2' + x1 - x2 = 0, x1' + x1 - u = 0: an ODE from x1 <> x2, a DAE with x2 = x1 when they start equal.
model InitialPoint
  parameter Real u = 0.5;
  Real x1(start = 1, fixed = true), x2(start = 0, fixed = true);
equation
  (x1 - x2)*der(x2) + x1 - x2 = 0;
  der(x1) + x1 - u = 0;
end InitialPoint;
// expect: index=0 dof=2 constraint_count=0 hidden_count=0 kind=ode verdict=ok initial.missing=0 initial.excess=0
// run: --set x2=1
// expect: index=1 dof=1 constraint_count=1 hidden_count=0 kind=dae verdict=ok certificate=derivative_array initial.missing=0 initial.excess=1
// expect-warning: singular
// run: --set x1=0.25 --set x2=0.25 --set u=3
// expect: index=1 dof=1 constraint_count=1 kind=dae verdict=ok
// run: --set x1=-2 --set x2=0.25
// expect: index=0 dof=2 kind=ode verdict=ok
// At x1 = x2 = 1 with u = 0 both branches have the same rate: the factor x1 - x2 decides.
// run: --set x2=1 --set u=0
// expect: index=1 dof=1 constraint_count=1 kind=dae verdict=ok
// expect-warning: other solutions pass through
