model GearPetzoldZero
  parameter Real e = 0.5;
  Real x, y;
equation
  x + e*time*y = sin(time);
  der(x) + e*time*der(y) + (1 + e)*y = cos(2*time);
end GearPetzoldZero;
