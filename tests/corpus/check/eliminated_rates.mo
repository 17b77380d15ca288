// Two functions of x' + y': with it eliminated, y = sin(log(1 + x^2)) is a constraint that has no formula of its own in
// the equations as written.
model EliminatedRates
  Real x(start = 1), y;
equation
  exp(der(x) + der(y)) = 1 + x^2;
  sin(der(x) + der(y)) = y;
end EliminatedRates;
// expect: index=1 structural_index=0 dof=1 constraint_count=1 hidden_count=0 unknowns=2 equations=2
// expect: certificate=converted verdict=ok kind=dae initial.missing=1 initial.excess=0
// expect-constraint: exp(der(x) + der(y)) - x^2 - 1 = 0 and sin(der(x) + der(y)) - y = 0, with the derivatives eliminated
