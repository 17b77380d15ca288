// Akzo Nobel's chemical reactions with one fast equilibrium: index 1.
model ChemAkzo
  parameter Real ks = 115.83;
  Real y[6](start = {0.444, 0.00123, 0, 0.007, 0, ks*0.444*0.007}, fixed = {true, true, true, true, true, false});
  Real s = sqrt(y[2]), F = 3.3*(0.9/737 - y[2]);
  Real r[5] = {18.7*y[1]^4*s, 0.58*y[3]*y[4], 0.58/34.4*y[1]*y[5], 0.09*y[1]*y[4]^2, 0.42*y[6]^2*s};
equation
  der(y[1]) = -2*r[1] + r[2] - r[3] - r[4];
  der(y[2]) = -0.5*r[1] - r[4] - 0.5*r[5] + F;
  der(y[3]) = r[1] - r[2] + r[3];
  der(y[4]) = -r[2] + r[3] - 2*r[4];
  der(y[5]) = r[2] - r[3] + r[5];
  0 = ks*y[1]*y[4] - y[6];
  annotation(experiment(StopTime = 180, Tolerance = 1e-6));
end ChemAkzo;
