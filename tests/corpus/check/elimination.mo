// x' = u - x + z, 0 = x z - 1: z = 1/x
model Elimination
  input Real u;
  Real x(start = 1, fixed = true), z;
equation
  der(x) = u - x + z;
  0 = x*z - 1;
end Elimination;
// expect: index=1 structural_index=1 dof=1 constraint_count=1 hidden_count=0 unknowns=2 kind=dae verdict=ok certificate=structural initial.missing=0 initial.excess=0
