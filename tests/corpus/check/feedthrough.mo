// 0 = x - k z - 1, x' = z - x: index 1 for k <> 0, index 2 for k = 0.
model Feedthrough
  parameter Real k = 1;
  Real x(start = 2), z;
equation
  der(x) = z - x;
  0 = x - k*z - 1;
end Feedthrough;
// expect: index=1 dof=1 constraint_count=1 hidden_count=0 verdict=ok
// run: --set k=0
// expect: index=2 dof=0 constraint_count=1 hidden_count=1 verdict=ok
// expect-warning: k
