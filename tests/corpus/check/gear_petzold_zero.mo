// The same from time 0, where the factor of y is zero: index and constraints stay.
model GearPetzoldZero
  parameter Real e = 0.5;
  Real x, y;
equation
  x + e*time*y = sin(time);
  der(x) + e*time*der(y) + (1 + e)*y = cos(2*time);
end GearPetzoldZero;
// expect: index=2 dof=0 constraint_count=1 hidden_count=1 unknowns=2
// expect: certificate=converted|derivative_array verdict=ok kind=dae
// run: --set e=-2
// expect: index=2 dof=0 constraint_count=1 hidden_count=1 verdict=ok
