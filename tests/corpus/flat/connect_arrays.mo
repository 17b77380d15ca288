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
//| model Two
//|   parameter Real 'm1.m' = 1;
//|   Real 'm1.a.r'[3](start = 0, fixed = true);
//|   Real 'm1.a.f'[3];
//|   Real 'm1.v'[3](start = 0, fixed = true) = der('m1.a.r');
//|   parameter Real 'm2.m' = 2;
//|   Real 'm2.a.r'[3](start = {1, 0, 0}, fixed = true);
//|   Real 'm2.a.f'[3];
//|   Real 'm2.v'[3](start = 0, fixed = true) = der('m2.a.r');
//|   parameter Real 's.c' = 10;
//|   Real 's.a.r'[3];
//|   Real 's.a.f'[3];
//|   Real 's.b.r'[3];
//|   Real 's.b.f'[3];
//| equation
//|   'm1.m'*der('m1.v') = 'm1.a.f';
//|   'm2.m'*der('m2.v') = 'm2.a.f';
//|   's.a.f' + 's.b.f' = zeros(3);
//|   's.a.f' = 's.c'*('s.a.r' - 's.b.r');
//|   'm1.a.r' = 's.a.r';
//|   'm1.a.f' + 's.a.f' = zeros(3);
//|   's.b.r' = 'm2.a.r';
//|   's.b.f' + 'm2.a.f' = zeros(3);
//| end Two;
// expect: verdict=ok index=1 dof=12 unknowns=30 equations=30
