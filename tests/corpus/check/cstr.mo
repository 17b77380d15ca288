// Isothermal stirred tank A <-> B -> C with a fast equilibrium.
model Cstr
  parameter Real q = 0.5, cA0 = 1, K = 2, kB = 0.7;
  Real cA(start = 0.4, fixed = true), cB, cC(start = 0, fixed = true), rA, rB;
equation
  der(cA) = q*(cA0 - cA) - rA;
  der(cB) = -q*cB + rA - rB;
  der(cC) = -q*cC + rB;
  cA = cB/K;
  rB = kB*cB;
end Cstr;
// expect: index=2 structural_index=2 dof=2 constraint_count=2 hidden_count=1 unknowns=5 equations=5
// expect: certificate=structural verdict=ok kind=dae initial.missing=0 initial.excess=0
// expect-equivalent: q*(cA0 - cA) - rA = (-q*cB + rA - rB)/K
