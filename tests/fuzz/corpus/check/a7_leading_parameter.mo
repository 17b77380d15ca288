model LeadingParameter
  parameter Real u = 2;
  Real x(start = 1);
equation
  u*der(x) + x = 0;
end LeadingParameter;
