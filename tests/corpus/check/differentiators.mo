// A chain of differentiators.
model Differentiators
  Real x1, x2, x3, x4;
equation
  x1 = sin(time);
  der(x1) = x2;
  der(x2) = x3;
  der(x3) = x4;
end Differentiators;
// expect: index=4 structural_index=4 dof=0 constraint_count=1 hidden_count=3 unknowns=4 equations=4
// expect: certificate=structural verdict=ok kind=dae initial.missing=0
// expect-equivalent: x2 = cos(time)
// expect-equivalent: x3 = -sin(time)
// expect-equivalent: x4 = -cos(time)
