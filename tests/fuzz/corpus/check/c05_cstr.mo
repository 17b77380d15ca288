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
