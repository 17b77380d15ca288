// Connectors with arrays inside are connected array by array.
connector Flange
  Real r[3];
  flow Real f[3];
end Flange;
model Mass
  parameter Real m = 1;
  Flange a;
  Real v[3](start = zeros(3), each fixed = true) = der(a.r);
equation
  m*der(v) = a.f;
end Mass;
model Spring
  parameter Real c = 10;
  Flange a, b;
equation
  a.f + b.f = zeros(3);
  a.f = c*(a.r - b.r);
end Spring;
model Two
  Mass m1(a(r(start = {0, 0, 0}, each fixed = true))), m2(m = 2, a(r(start = {1, 0, 0}, each fixed = true)));
  Spring s;
equation
  connect(m1.a, s.a);
  connect(s.b, m2.a);
end Two;
