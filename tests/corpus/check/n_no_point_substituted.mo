// Rows are substituted (the Jacobian is singular at every point), and no point satisfies the last row: exp is positive.
// There is an answer of the structure all the same, told as unconfirmed, in the user's own unknowns.
model PowerOfSum
  Real a, b, q;
equation
  (der(a) + der(b))^2 = q;
  exp(der(a) + der(b)) = a;
  exp(q) = -2;
end PowerOfSum;
model WeightedSum
  Real a, b, k;
equation
  sin(der(a) + k*der(b)) = a;
  exp(der(a) + k*der(b)) = b;
  exp(k) + 1 = 0;
end WeightedSum;
model ParameterAndArray
  parameter Real c = -3;
  Real a[2], q[2];
equation
  (der(a[1]) + der(a[2]))^3 = q[1];
  cosh(der(a[1]) + der(a[2])) = a[1] + 2;
  q[2] = q[1];
  q[2]^2 = c;
end ParameterAndArray;
model LevelTwo
  Real a, b, va, vb, q;
equation
  der(a) = va;
  der(b) = vb;
  (der(va) - der(vb))^2 = q;
  exp(der(va) - der(vb)) = a;
  abs(q) = -1 - time;
end LevelTwo;
// run: PowerOfSum
// expect: verdict=ok certificate=undecided unknowns=3 dof=1 constraint_count=2 hidden_count=0
// expect-warning: no consistent start exists: `exp(q) = -2`
// expect-warning: has no solution for q. The answer is that of the structure alone
// expect-no-warning: aux
// run: WeightedSum
// expect: verdict=ok certificate=undecided unknowns=3 dof=1 constraint_count=2 hidden_count=0
// expect-no-warning: aux
// run: ParameterAndArray
// expect: verdict=ok certificate=undecided unknowns=4
// expect-no-warning: aux
// run: LevelTwo
// expect: verdict=ok certificate=undecided unknowns=5
// expect-no-warning: aux
