// The same with inputs: the derivatives of u1 and u2 that the hidden constraints need are named.
model MattssonSoderlindInputs
  input Real u1, u2, u3, u4;
  Real x1, x2, x3, x4;
equation
  x1 + x2 + u1 = 0;
  x1 + x2 + x3 + u2 = 0;
  x1 + der(x3) + x4 + u3 = 0;
  2*der(der(x1)) + der(der(x2)) + der(der(x3)) + der(x4) + u4 = 0;
end MattssonSoderlindInputs;
// expect: index=2 dof=2 constraint_count=3 hidden_count=2 unknowns=7 verdict=ok
// expect-warning: der(u1)
// expect-warning: der(u2)
