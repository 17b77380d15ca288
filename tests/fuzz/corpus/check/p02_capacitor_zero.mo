model CapacitorZero
  parameter Real R1 = 1, R2 = 2, C1 = 1, C2 = 1;
  Real v1(start = 0), v2(start = 0);
equation
  C1*der(v1) = (sin(time) - v1)/R1 - (v1 - v2)/R2;
  C2*der(v2) = (v1 - v2)/R2;
end CapacitorZero;
