model Inductor
  parameter Real L = 1e-3, R = 10;
  input Real u;
  Real i;
equation
  L*der(i) + R*i = u;
end Inductor;
