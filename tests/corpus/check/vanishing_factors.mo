// Combinations of equations whose factors depend on the unknowns: the combined rows lose rank on every solution, and one is
// divided by what vanishes there. That says nothing about the model: x2 + x3 = -cos(2*time), then x1, then x3.
model VanishingFactors
  Real x1, x2, x3(start = 0.5);
equation
  -time*x2 - time*x3 - x1 - exp(x2)*exp(x3) - cos(2*time) = 0;
  der(x2)*cos(x1) + der(x3)*cos(x1) - x1*cos(x1) - x2 - x3*cos(x1) - x3 - sin(time)*cos(x1) - cos(2*time) = 0;
  der(x2) + der(x3) - x1 - x3 - sin(time) = 0;
end VanishingFactors;
// The second term of the third equation is zero on solutions. x2 = -sin(time), x1 and x4 follow, x3 may be chosen.
model VanishingTerm
  Real x1, x2(start = 0.5), x3(start = 0.5), x4(start = 0.5);
equation
  der(x1) + 2*der(x2) - der(x4) - 2*time*x2 - time*x3 - time*x4 - x1 - x2 + 2*x4 - sin(time) = 0;
  -x2 - sin(time) = 0;
  -x1 - 2*x2 + x4 + (-x2 - sin(time))*cos(x1) = 0;
  2*der(x2) + der(x3) + der(x4) - 4*x2 - 2*x3 - 2*x4 = 0;
end VanishingTerm;
// run: VanishingFactors
// expect: index=2 dof=0 constraint_count=2 hidden_count=1 verdict=ok
// run: VanishingTerm
// expect: index=2 dof=1 constraint_count=2 hidden_count=1 verdict=ok initial.completion.0=x3
