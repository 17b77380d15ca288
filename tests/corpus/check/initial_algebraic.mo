// An algebraic value and an invariant combination are given instead of the states.
model InitialAlgebraic
  Real x, y, z(start = 2, fixed = true);
initial equation
  x - y = 1;
equation
  der(x) = -x;
  der(y) = -2*y;
  z = x + y;
end InitialAlgebraic;
// expect: index=1 dof=2 verdict=ok initial.missing=0 initial.excess=0
