// Two tanks joined at the bottom without resistance: equal levels, the flow between them follows. Index 2.
model JoinedTanks
  parameter Real A1 = 1, A2 = 3;
  input Real qin;
  Real h1(start = 1, fixed = true), h2, q;
equation
  A1*der(h1) = qin - q;
  A2*der(h2) = q - 0.1*sqrt(h2);
  h1 = h2;
end JoinedTanks;
// expect: index=2 dof=1 constraint_count=1 hidden_count=1 unknowns=3 verdict=ok certificate=structural initial.missing=0 initial.excess=0
// expect-equivalent: (qin - q)/A1 = (q - 0.1*sqrt(h2))/A2
