model PrescribedMotion
  parameter Real m = 2, k = 5;
  Real x, F;
equation
  m*der(der(x)) + k*x^3 = F;
  x = exp(-time)*sin(time);
end PrescribedMotion;
