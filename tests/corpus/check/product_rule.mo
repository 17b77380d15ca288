// Derivatives that cancel by the product rule.
model ProductRule
  Real x(start = 1, fixed = true), y;
equation
  der(x*y) - der(x)*y - x*der(y) + 2*x + y = sin(time);
  der(x) = y;
end ProductRule;
// expect: index=1 structural_index=1 dof=1 constraint_count=1 hidden_count=0 unknowns=2 equations=2
// expect: certificate=structural|converted verdict=ok kind=dae initial.missing=0 initial.excess=0
// expect-equivalent: 2*x + y = sin(time)
