// Both equations hold the same sum of derivatives: the structure says ODE, the difference is a constraint.
model EqualSums
  Real x(start = 1, fixed = true), y;
equation
  der(x) + der(y) + x = 0;
  der(x) + der(y) + y = sin(time);
end EqualSums;
// expect: index=1 structural_index=0 dof=1 constraint_count=1 hidden_count=0 unknowns=2 equations=2
// expect: certificate=converted verdict=ok kind=dae initial.missing=0 initial.excess=0
// expect-equivalent: x - y + sin(time) = 0
