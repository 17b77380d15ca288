// A fast variable: eps z' = g(x, z). For small eps the solution is that of the DAE with eps = 0, because dg/dz = -1 - z^2
// is regular and negative (Tikhonov): z runs to the curve g = 0 and stays there. daedal simulate tikhonov.mo --set eps=0
model FastAndSlow
  parameter Real eps = 0.01 "how fast z is", sign = 1 "-1: the curve repels";
  Real x(start = 1, fixed = true), z(start = 0);
equation
  der(x) = z - x;
  eps*der(z) = sign*(0.5*x - z - z^3/3);
end FastAndSlow;
