model Perturbation
  parameter Real eps = 0.01;
  Real x(start = 1, fixed = true), z(start = 1);
equation
  der(x) = -z;
  eps*der(z) = x - z^3;
end Perturbation;
