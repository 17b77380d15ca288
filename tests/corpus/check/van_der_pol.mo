// Van der Pol with mu = 1000, as one equation of second order; for eps = 1/mu^2 = 0 it is a DAE.
model VanDerPol
  parameter Real mu = 1000;
  Real y(start = 2, fixed = true), v(start = 0, fixed = true) = der(y);
equation
  der(der(y)) = mu*(1 - y^2)*der(y) - y;
end VanDerPol;
// expect: index=0 dof=2 constraint_count=0 hidden_count=0 unknowns=2 equations=2 verdict=ok certificate=structural kind=ode initial.missing=0 initial.excess=0
