// RC filter with a second capacitor that may be absent.
model CapacitorZero
  parameter Real R1 = 1, R2 = 2, C1 = 1, C2 = 1;
  Real v1(start = 0), v2(start = 0);
equation
  C1*der(v1) = (sin(time) - v1)/R1 - (v1 - v2)/R2;
  C2*der(v2) = (v1 - v2)/R2;
end CapacitorZero;
// expect: index=0 dof=2 kind=ode verdict=ok
// run: --set C2=0
// expect: index=1 dof=1 constraint_count=1 kind=dae verdict=ok
// expect-warning: C2
// run: --set C1=0 --set C2=0
// expect: index=1 dof=0 constraint_count=2 kind=algebraic verdict=ok
