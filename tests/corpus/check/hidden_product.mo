// One unknown appears only through the derivative of a constraint.
model HiddenProduct
  Real x(start = 1, fixed = true), y, a, b;
equation
  der(x) = y + a;
  y = 3*x;
  der(y) = a*x;
  b = a/5;
end HiddenProduct;
// expect: index=2 structural_index=2 dof=1 constraint_count=2 hidden_count=1 unknowns=4 equations=4
// expect: certificate=structural verdict=ok kind=dae initial.missing=0 initial.excess=0
// expect-equivalent: 3*(y + a) = a*x
