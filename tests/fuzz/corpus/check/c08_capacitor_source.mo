model CapacitorSource
  parameter Real C = 0.1;
  Real v, i;
equation
  v = sin(time);
  i = C*der(v);
end CapacitorSource;
