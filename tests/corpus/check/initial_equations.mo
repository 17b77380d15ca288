// Steady state: two initial equations for two states.
model SteadyState
  Real x(start = 1.2), y(start = 0.9);
initial equation
  der(x) = 0;
  der(y) = 0;
equation
  der(x) = 1 - x*y;
  der(y) = x - y + sin(time);
end SteadyState;
// expect: index=0 dof=2 verdict=ok initial.missing=0 initial.excess=0
