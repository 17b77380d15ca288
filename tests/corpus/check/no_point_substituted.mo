// Rows are substituted (the Jacobian is singular at every point), and no point satisfies the last row: exp is positive.
// What needs nothing of the start is a contradiction of the equations; what needs the time (LevelTwo) is one of the start,
// and the answer of the structure is told as unconfirmed, in the user's own unknowns.
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
// expect: verdict=inconsistent unknowns=3
// expect-reason: no values satisfy the equations: `exp(q) = -2`
// run: WeightedSum
// expect: verdict=inconsistent unknowns=3
// expect-reason: `exp(k) + 1 = 0`
// run: ParameterAndArray
// expect: verdict=inconsistent unknowns=4
// run: LevelTwo
// expect: verdict=ok certificate=undecided unknowns=5
// expect-warning: no consistent start exists
// expect-warning: The answer is that of the structure alone
// expect-no-warning: aux
