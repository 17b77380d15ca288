// The same with x' = v, 0 = F(v, x, z, u): one more algebraic unknown, index 1 again
model SemiExplicit
  input Real u;
  Real x(start = 1, fixed = true), z(start = 1), v;
equation
  der(x) = v;
  v + z*x + sin(v)/4 = u;
  z^3 + z - x*v = 2;
end SemiExplicit;
// expect: index=1 dof=1 constraint_count=2 hidden_count=0 unknowns=3 kind=dae verdict=ok certificate=structural initial.missing=0 initial.excess=0
