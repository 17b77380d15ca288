// Ring modulator of the IVP test set. With Cs = 0 four currents add up to zero and the index is 2.
model RingModulator
  constant Real pi = 3.14159265358979;
  parameter Real C = 1.6e-8, Cs = 0, Cp = 1e-8, R = 25000, Rp = 50, Lh = 4.45, Ls1 = 0.002, Ls2 = 5e-4, Ls3 = 5e-4;
  parameter Real Rg1 = 36.3, Rg2 = 17.3, Rg3 = 17.3, Ri = 50, Rc = 600, a = 40.67286402e-9, b = 17.7493332;
  Real y[15](each start = 0);
equation
  C*der(y[1]) = y[8] - 0.5*y[10] + 0.5*y[11] + y[14] - y[1]/R;
  C*der(y[2]) = y[9] - 0.5*y[12] + 0.5*y[13] + y[15] - y[2]/R;
  Cs*der(y[3]) = y[10] - a*(exp(b*(y[3] - y[5] - y[7] - 2*sin(20000*pi*time))) - 1)
    + a*(exp(b*(-y[3] - y[6] + y[7] + 2*sin(20000*pi*time))) - 1);
  Cs*der(y[4]) = -y[11] + a*(exp(b*(-y[4] + y[6] - y[7] - 2*sin(20000*pi*time))) - 1)
    - a*(exp(b*(y[4] + y[5] + y[7] + 2*sin(20000*pi*time))) - 1);
  Cs*der(y[5]) = y[12] + a*(exp(b*(y[3] - y[5] - y[7] - 2*sin(20000*pi*time))) - 1)
    - a*(exp(b*(y[4] + y[5] + y[7] + 2*sin(20000*pi*time))) - 1);
  Cs*der(y[6]) = -y[13] - a*(exp(b*(-y[4] + y[6] - y[7] - 2*sin(20000*pi*time))) - 1)
    + a*(exp(b*(-y[3] - y[6] + y[7] + 2*sin(20000*pi*time))) - 1);
  Cp*der(y[7]) = -y[7]/Rp + a*(exp(b*(y[3] - y[5] - y[7] - 2*sin(20000*pi*time))) - 1)
    + a*(exp(b*(-y[4] + y[6] - y[7] - 2*sin(20000*pi*time))) - 1)
    - a*(exp(b*(y[4] + y[5] + y[7] + 2*sin(20000*pi*time))) - 1)
    - a*(exp(b*(-y[3] - y[6] + y[7] + 2*sin(20000*pi*time))) - 1);
  Lh*der(y[8]) = -y[1];
  Lh*der(y[9]) = -y[2];
  Ls2*der(y[10]) = 0.5*y[1] - y[3] - Rg2*y[10];
  Ls3*der(y[11]) = -0.5*y[1] + y[4] - Rg3*y[11];
  Ls2*der(y[12]) = 0.5*y[2] - y[5] - Rg2*y[12];
  Ls3*der(y[13]) = -0.5*y[2] + y[6] - Rg3*y[13];
  Ls1*der(y[14]) = -y[1] + 0.5*sin(2000*pi*time) - (Ri + Rg1)*y[14];
  Ls1*der(y[15]) = -y[2] - (Rc + Rg1)*y[15];
end RingModulator;
// expect: index=2 dof=10 constraint_count=4 hidden_count=1 unknowns=15 equations=15 verdict=ok certificate=converted|derivative_array kind=dae
// run: --set Cs=2e-12
// expect: index=0 dof=15 constraint_count=0 hidden_count=0 verdict=ok kind=ode certificate=structural
