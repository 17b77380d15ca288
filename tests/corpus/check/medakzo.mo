// Medical Akzo Nobel problem: reaction and diffusion in 200 cells, an ODE.
model MedAkzo
  parameter Integer n = 200;
  parameter Real dz = 1/n;
  Real u[n](each start = 0, each fixed = true), v[n](each start = 1, each fixed = true);
equation
  for j in 1:n - 1 loop
    der(u[j]) = (j/n - 1)^3/8*(u[j + 1] - (if j > 1 then u[max(j - 1, 1)] elseif time <= 5 then 2 else 0))/(2*dz)
      + (j/n - 1)^4/16*((if j > 1 then u[max(j - 1, 1)] elseif time <= 5 then 2 else 0) - 2*u[j] + u[j + 1])/dz^2 - 100*u[j]*v[j];
  end for;
  der(u[n]) = -100*u[n]*v[n];
  for j in 1:n loop
    der(v[j]) = -100*u[j]*v[j];
  end for;
end MedAkzo;
// expect: index=0 dof=400 constraint_count=0 hidden_count=0 unknowns=400 equations=400 verdict=ok certificate=structural kind=ode initial.missing=0 initial.excess=0
