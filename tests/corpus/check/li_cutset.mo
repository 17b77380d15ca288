// Two inductors in series: their currents are equal. Index 2.
model LiCutset
  parameter Real L1 = 1e-3, L2 = 3e-3, R = 10;
  Real i1(start = 0, fixed = true), i2, v1, v2;
equation
  L1*der(i1) = v1;
  L2*der(i2) = v2;
  i1 = i2;
  v1 + v2 + R*i1 = 12;
end LiCutset;
// expect: index=2 dof=1 constraint_count=2 hidden_count=1 unknowns=4 verdict=ok certificate=structural initial.missing=0 initial.excess=0
// expect-equivalent: v1/L1 = v2/L2
