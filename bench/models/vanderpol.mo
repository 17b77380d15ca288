// Van der Pol's oscillator, stiff.
model VanDerPol
  parameter Real eps = 1e-6;
  Real y(start = 2, fixed = true), z(start = 0, fixed = true);
equation
  der(y) = z;
  der(z) = ((1 - y^2)*z - y)/eps;
end VanDerPol;
