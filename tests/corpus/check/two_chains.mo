// Two chains of different length that share a state.
model TwoChains
  Real a1, a2, a3, b1, b2;
equation
  a1 + b1 = sin(time);
  b1 - a1 = cos(time);
  der(a1) = a2;
  der(a2) = a3;
  der(b1) = b2 + a3;
end TwoChains;
// a1, b1 from the first two, a2 = a1' once, a3 = a1'' twice, b2 = b1' - a3: its derivative needs three.
// expect: index=3 dof=0 constraint_count=2 hidden_count=3 unknowns=5 verdict=ok certificate=structural|converted
