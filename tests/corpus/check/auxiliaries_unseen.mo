// Two infinite eigenvalues of sizes 1 and 3, hidden by combining equations and unknowns: all is zero. Unknowns that the
// analysis adds must not be seen in formulas.
model AuxiliariesUnseen
  Real x[4];
equation
  3*der(x[1]) + der(x[2]) + 3*der(x[3]) = -2*x[1] + x[3] + x[4];
  3*der(x[1]) + der(x[2]) + 3*der(x[3]) = x[1] + x[3];
  7*der(x[1]) + 2*der(x[2]) + 6*der(x[3]) = 2*x[1] + x[2] + 5*x[3] + x[4];
  -der(x[1]) = -8*x[1] - x[2] - 3*x[3] + 2*x[4];
end AuxiliariesUnseen;
// expect: index=3 dof=0 constraint_count=2 hidden_count=2 verdict=ok
// expect-hidden: 2*der(x[1]) - der(x[4]) = 0
// expect-hidden: 2*der(der(x[1])) - der(der(x[4])) = 0
