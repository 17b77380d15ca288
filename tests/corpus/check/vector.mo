// M x'' + D x' + K x = f for a vector x, and the same with a declared velocity
model VectorOscillator
  parameter Real M[3,3] = [2, 1, 0; 1, 2, 1; 0, 1, 2], K[3,3] = [4, -1, 0; -1, 4, -1; 0, -1, 4], d = 0.1;
  Real x[3](start = {1, 0, 0}, each fixed = true), v[3](each start = 0, each fixed = true) = der(x);
equation
  M*der(der(x)) + d*v + K*x = {sin(time), 0, 0};
end VectorOscillator;
// expect: index=0 dof=6 constraint_count=0 hidden_count=0 unknowns=6 equations=6 kind=ode verdict=ok certificate=structural initial.missing=0 initial.excess=0
