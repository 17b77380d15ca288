model Spherical
  parameter Real g = 9.81;
  Real p[3](start = {0.6, 0, -0.8}, fixed = {true, true, false});
  Real v[3](start = {0, 1, 0}, fixed = {true, true, false}), l;
equation
  der(p) = v;
  der(v) = -l*p - {0, 0, g};
  p*p = 1;
end Spherical;
