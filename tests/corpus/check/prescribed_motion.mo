// A mass made to follow a path by a force: inverse dynamics, index 3.
model PrescribedMotion
  parameter Real m = 2, k = 5;
  Real x, F;
equation
  m*der(der(x)) + k*x^3 = F;
  x = exp(-time)*sin(time);
end PrescribedMotion;
// expect: index=3 dof=0 constraint_count=1 hidden_count=2 unknowns=3 equations=3 verdict=ok certificate=structural
