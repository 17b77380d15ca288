// Transistor amplifier of the IVP test set with its real constants (differences of twelve decades).
model TransistorAmplifier
  constant Real pi = 3.14159265358979;
  parameter Real Ub = 6, a = 0.99, b = 1e-6, Uf = 0.026, R0 = 1000, R = 9000, C = 1e-6;
  Real y[8](start = {0, 3, 3, 6, 3, 3, 6, 0});
equation
  C*(der(y[2]) - der(y[1])) = (y[1] - 0.1*sin(200*pi*time))/R0;
  C*(der(y[1]) - der(y[2])) = y[2]/R + (y[2] - Ub)/R + (1 - a)*b*(exp((y[2] - y[3])/Uf) - 1);
  -2*C*der(y[3]) = y[3]/R - b*(exp((y[2] - y[3])/Uf) - 1);
  3*C*(der(y[5]) - der(y[4])) = (y[4] - Ub)/R + a*b*(exp((y[2] - y[3])/Uf) - 1);
  3*C*(der(y[4]) - der(y[5])) = y[5]/R + (y[5] - Ub)/R + (1 - a)*b*(exp((y[5] - y[6])/Uf) - 1);
  -4*C*der(y[6]) = y[6]/R - b*(exp((y[5] - y[6])/Uf) - 1);
  5*C*(der(y[8]) - der(y[7])) = (y[7] - Ub)/R + a*b*(exp((y[5] - y[6])/Uf) - 1);
  5*C*(der(y[7]) - der(y[8])) = y[8]/R;
end TransistorAmplifier;
// expect: index=1 structural_index=0 dof=5 constraint_count=3 hidden_count=0 unknowns=8 equations=8 verdict=ok certificate=converted kind=dae
// expect-equivalent: (y[7] - Ub)/R + a*b*(exp((y[5] - y[6])/Uf) - 1) + y[8]/R = 0
