// F(x', x, z, u) = 0 with z inside nonlinear terms: index 1
model FullyImplicit
  input Real u;
  Real x(start = 1, fixed = true), z(start = 1);
equation
  der(x) + z*x + sin(der(x))/4 = u;
  z^3 + z - x*der(x) = 2;
end FullyImplicit;
// expect: index=1 dof=1 constraint_count=1 hidden_count=0 unknowns=2 kind=dae verdict=ok initial.missing=0 initial.excess=0
