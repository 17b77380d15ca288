// A drug enters tissue (Akzo Nobel): reaction and transport in 200 cells. The supply stops at t = 5.
model MedAkzo
  parameter Integer n = 200;
  parameter Real dz = 1/n, k = 100;
  parameter Real a[n] = {(j*dz - 1)^3/8 for j in 1:n}, b[n] = {(j*dz - 1)^4/16 for j in 1:n};
  Real u[n](each start = 0, each fixed = true) "drug", v[n](each start = 1, each fixed = true) "antibody";
  Real supply = if time < 5 then 2 else 0;
equation
  der(u[1]) = a[1]*(u[2] - supply)/(2*dz) + b[1]*(supply - 2*u[1] + u[2])/dz^2 - k*u[1]*v[1];
  for j in 2:n - 1 loop
    der(u[j]) = a[j]*(u[j + 1] - u[j - 1])/(2*dz) + b[j]*(u[j - 1] - 2*u[j] + u[j + 1])/dz^2 - k*u[j]*v[j];
  end for;
  der(u[n]) = -k*u[n]*v[n];
  for j in 1:n loop
    der(v[j]) = -k*u[j]*v[j];
  end for;
  annotation(experiment(StopTime = 20, Tolerance = 1e-6));
end MedAkzo;
