model CurrentSourceInductor
  parameter Real L = 0.01;
  input Real Is;
  Real i, v;
equation
  i = Is;
  v = L*der(i);
end CurrentSourceInductor;
