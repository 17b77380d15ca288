// Two perfectly coupled coils: the inductance matrix is singular, a combination of fluxes is algebraic.
model PerfectCoupling
  parameter Real L1 = 1, L2 = 4, M = 2, R1 = 1, R2 = 3;
  Real i1(start = 0), i2;
equation
  L1*der(i1) + M*der(i2) = sin(time) - R1*i1;
  M*der(i1) + L2*der(i2) = -R2*i2;
end PerfectCoupling;
// expect: index=1 structural_index=0 dof=1 constraint_count=1 hidden_count=0 unknowns=2 kind=dae verdict=ok certificate=converted|derivative_array
// run: --set M=1.5
// expect: index=0 dof=2 constraint_count=0 kind=ode verdict=ok
