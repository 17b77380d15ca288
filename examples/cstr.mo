// A stirred tank with A <-> B -> C. The first reaction is so fast that it is written as an equilibrium: then its rate
// rA is whatever keeps cB = Keq*cA, and the index is 2.
model IsothermalCSTR
  parameter Real tau = 2, cA0 = 1, Keq = 2, kB = 0.7;
  Real cA(start = 0.4, fixed = true), cB(start = 0.8), cC(start = 0, fixed = true);
  Real rA "net A -> B", rB "B -> C";
equation
  der(cA) = (cA0 - cA)/tau - rA;
  der(cB) = -cB/tau + rA - rB;
  der(cC) = -cC/tau + rB;
  cB = Keq*cA "fast equilibrium";
  rB = kB*cB;
end IsothermalCSTR;
