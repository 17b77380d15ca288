// A stirred tank whose fast reaction is an equilibrium: the rate follows from it.
model IsothermalCSTR "A <-> B -> C"
  parameter Real tau = 2, cA0 = 1, Keq = 2, kB = 0.7;
  Real cA(start = 0.4, fixed = true), cB(start = 0.8), cC(start = 0, fixed = true);
  Real rA "net A->B", rB "B->C";
equation
  der(cA) = (cA0 - cA)/tau - rA;
  der(cB) = -cB/tau + rA - rB;
  der(cC) = -cC/tau + rB;
  cB = Keq*cA "fast equilibrium";
  rB = kB*cB;
end IsothermalCSTR;
// expect: index=2 structural_index=2 dof=2 constraint_count=2 hidden_count=1 unknowns=5 equations=5 kind=dae verdict=ok certificate=structural initial.missing=0 initial.excess=0
// expect-equivalent: -cB/tau + rA - rB = Keq*((cA0 - cA)/tau - rA)
