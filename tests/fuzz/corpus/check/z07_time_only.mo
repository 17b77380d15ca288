model TimeOnly
  Real a, b, c;
equation
  a = time^2;
  b = der(a);
  c = der(b) + a;
end TimeOnly;
