// Transistor amplifier: three of five capacitors float between two nodes; unit constants (Hairer and Wanner).
model FloatingCapacitors
  parameter Real a = 0.99, Ub = 6;
  Real y[8](start = {0, 3, 3, 6, 3, 3, 6, 0});
equation
  der(y[2]) - der(y[1]) = y[1] - sin(time);
  der(y[1]) - der(y[2]) = y[2] + (y[2] - Ub) + (1 - a)*(exp(y[2] - y[3]) - 1);
  -der(y[3]) = y[3] - (exp(y[2] - y[3]) - 1);
  der(y[5]) - der(y[4]) = (y[4] - Ub) + a*(exp(y[2] - y[3]) - 1);
  der(y[4]) - der(y[5]) = y[5] + (y[5] - Ub) + (1 - a)*(exp(y[5] - y[6]) - 1);
  -der(y[6]) = y[6] - (exp(y[5] - y[6]) - 1);
  der(y[8]) - der(y[7]) = (y[7] - Ub) + a*(exp(y[5] - y[6]) - 1);
  der(y[7]) - der(y[8]) = y[8];
end FloatingCapacitors;
// expect: index=1 structural_index=0 dof=5 constraint_count=3 hidden_count=0 unknowns=8 equations=8
// expect: certificate=converted verdict=ok kind=dae
// expect-equivalent: y[1] - sin(time) + 2*y[2] - Ub + (1 - a)*(exp(y[2] - y[3]) - 1) = 0
// expect-equivalent: y[7] - Ub + a*(exp(y[5] - y[6]) - 1) + y[8] = 0
