// Three capacitors in a triangle without a ground path besides one resistor: charge on the loop is tied by v1 + v2 + v3 = 0.
model CapacitorTriangle
  parameter Real C1 = 1, C2 = 2, C3 = 3, R = 1;
  Real v1(start = 1), v2(start = 0.5), v3, i1, i2, i3;
equation
  C1*der(v1) = i1;
  C2*der(v2) = i2;
  C3*der(v3) = i3;
  v1 + v2 + v3 = 0;
  i1 - i3 = -v1/R;
  i2 - i3 = 0;
end CapacitorTriangle;
// expect: index=2 dof=2 constraint_count=3 hidden_count=1 unknowns=6 verdict=ok certificate=structural
// expect-equivalent: i1/C1 + i2/C2 + i3/C3 = 0
