// Ideal transformer between an inductor and a capacitor.
model Transformer
  parameter Real n = 10, L = 0.1, C = 1e-4, R = 5;
  Real i1(start = 0), i2, v1, v2, vc(start = 1);
equation
  v1 = n*v2;
  i2 = -n*i1;
  L*der(i1) = sin(time) - R*i1 - v1;
  C*der(vc) = -i2;
  v2 = vc;
end Transformer;
// expect: index=1 dof=2 constraint_count=3 hidden_count=0 unknowns=5 kind=dae verdict=ok certificate=structural
