// L i' + R i = u: without inductance algebraic, without resistance an integrator, without both no equation for i.
model Inductor
  parameter Real L = 1e-3, R = 10;
  input Real u;
  Real i;
equation
  L*der(i) + R*i = u;
end Inductor;
// expect: index=0 dof=1 kind=ode verdict=ok
// run: --set L=0
// expect: index=1 dof=0 constraint_count=1 kind=algebraic verdict=ok
// expect-warning: L
// run: --set R=0
// expect: index=0 dof=1 kind=ode verdict=ok
// run: --set R=0 --set L=0
// expect: index=null dof=null verdict=singular
// expect-exit: 1
