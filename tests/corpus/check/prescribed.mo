// x1' = z, x2' = x1, x2 = u(t): index 3
model Prescribed
  Real x1, x2, z;
equation
  der(x1) = z;
  der(x2) = x1;
  x2 = sin(time);
end Prescribed;
// expect: index=3 structural_index=3 dof=0 constraint_count=1 hidden_count=2 unknowns=3 kind=dae verdict=ok certificate=structural
// expect-equivalent: x1 = cos(time)
// expect-equivalent: z = -sin(time)
