// Transistor amplifier: node voltages, capacitors between nodes; sums of node equations show the three constraints.
model TransistorAmplifier
  constant Real pi = 3.141592653589793;
  parameter Real Ub = 6, alpha = 0.99, beta = 1e-6, Uf = 0.026, R0 = 1000, R = 9000;
  parameter Real C1 = 1e-6, C2 = 2e-6, C3 = 3e-6, C4 = 4e-6, C5 = 5e-6;
  Real y[8](start = {0, 3, 3, 6, 3, 3, 6, 0}, fixed = {false, true, true, false, true, true, false, true});
  Real Ue = 0.1*sin(200*pi*time);
  Real g1 = beta*(exp((y[2] - y[3])/Uf) - 1), g2 = beta*(exp((y[5] - y[6])/Uf) - 1);
equation
  C1*(der(y[2]) - der(y[1])) = (y[1] - Ue)/R0;
  C1*(der(y[1]) - der(y[2])) = y[2]/R + (y[2] - Ub)/R + (1 - alpha)*g1;
  -C2*der(y[3]) = y[3]/R - g1;
  C3*(der(y[5]) - der(y[4])) = (y[4] - Ub)/R + alpha*g1;
  C3*(der(y[4]) - der(y[5])) = y[5]/R + (y[5] - Ub)/R + (1 - alpha)*g2;
  -C4*der(y[6]) = y[6]/R - g2;
  C5*(der(y[8]) - der(y[7])) = (y[7] - Ub)/R + alpha*g2;
  C5*(der(y[7]) - der(y[8])) = y[8]/R;
  annotation(experiment(StopTime = 0.2, Tolerance = 1e-6));
end TransistorAmplifier;
