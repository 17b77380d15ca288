model LeadingInput
  input Real u;
  Real x(start = 1);
equation
  u*der(x) + x = 0;
end LeadingInput;
