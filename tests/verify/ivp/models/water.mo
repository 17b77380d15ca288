model Water
  constant Real nu = 1.31e-6, g = 9.8, rho = 1e3, rcrit = 2.3e3, len = 1e3, k = 2e-4, d = 1, b = 200, pi = 3.141592653589793;
  parameter Real a = pi*d^2/4, mu = nu*rho, v = rho*len/a, c = b/(rho*g);
  parameter Integer from[18] = {1,2,2,3,3,4,5,6,7,7,8,8,9,11,11,12,12,13}, to[18] = {2,3,6,4,5,5,10,5,4,8,5,10,8,9,12,7,8,11};
  Real phi[18](each start = 0), lam[18](each start = 0.0475194), p[13](each start = 109800, each nominal = 1e5), R[18], net[13], that = time/3600;
  Real ein1 = (1 - cos(exp(-that) - 1))/200, ein13 = (1 - cos(exp(-that) - 1))/80, eout = that^2*(3*that^2 - 92*that + 720)/1e6;
equation
  for i in 1:18 loop
    R[i] = abs(phi[i]*d/(nu*a));
    v*der(phi[i]) = p[from[i]] - p[to[i]] - (if R[i] > rcrit then lam[i]*rho*len*phi[i]^2/(a^2*d) else 32*mu*len*phi[i]/(a*d^2));
    0 = 1/sqrt(lam[i]) - 1.74 + 2*log10(2*k/d + 18.7/((if R[i] > rcrit then R[i] else rcrit)*sqrt(lam[i])));
  end for;
  net[1] = ein1 - phi[1];
  0 = net[1];
  net[2] =  + phi[1] - phi[2] - phi[3];
  0 = net[2];
  net[3] =  + phi[2] - phi[4] - phi[5];
  0 = net[3];
  net[4] =  + phi[4] + phi[9] - phi[6];
  0 = net[4];
  net[5] =  + phi[5] + phi[6] + phi[8] + phi[11] - phi[7];
  c*der(p[5]) = net[5];
  net[6] =  + phi[3] - phi[8];
  0 = net[6];
  net[7] =  + phi[16] - phi[9] - phi[10];
  0 = net[7];
  net[8] =  + phi[10] + phi[13] + phi[17] - phi[11] - phi[12];
  c*der(p[8]) = net[8];
  net[9] =  + phi[14] - phi[13];
  0 = net[9];
  net[10] = -eout + phi[7] + phi[12];
  0 = net[10];
  net[11] =  + phi[18] - phi[14] - phi[15];
  0 = net[11];
  net[12] =  + phi[15] - phi[16] - phi[17];
  0 = net[12];
  net[13] = ein13 - phi[18];
  0 = net[13];
initial equation
  p[5] = 109800;
  p[8] = 109800;
  annotation(experiment(StopTime = 61200));
end Water;
