// Isothermal stirred tank A <-> B -> C with a fast equilibrium between A and B: the rate R1 is whatever keeps the
// equilibrium. Index 2, because a constraint between concentrations fixes a rate.
model Cstr "A <-> B -> C in a stirred tank"
  parameter Real CA0 = 1, Keq = 2, k2 = 0.7;
  input Real Fa(start = 1) "inflow", F(start = 1) "outflow";
  Real V(start = 2, fixed = true) "volume";
  Real CA(start = 0.4, fixed = true), CB(start = 0.8), CC(start = 0, fixed = true) "concentrations";
  Real R1 "net rate A to B", R2 "rate B to C";
equation
  der(V) = Fa - F;
  der(CA) = Fa/V*(CA0 - CA) - R1;
  der(CB) = -Fa/V*CB + R1 - R2;
  der(CC) = -Fa/V*CC + R2;
  0 = CA - CB/Keq "fast equilibrium";
  0 = R2 - k2*CB;
end Cstr;
