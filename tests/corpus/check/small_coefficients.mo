// Tiny but non-zero coefficients are not zero.
model SmallCoefficients
  parameter Real e = 1e-12;
  Real x(start = 1), y(start = 2), z;
equation
  e*der(x) = -x + y;
  1e-9*der(y) = x - z;
  1e-15*z = 1e-15*(x + y);
end SmallCoefficients;
// expect: index=1 dof=2 constraint_count=1 kind=dae verdict=ok certificate=structural
