// A chain of index 3 with one finite eigenvalue, hidden by varying coefficients and a term der(x2)*x3. A combination divided by
// x3 would be solved by an x3 that grows without bound: index 1 with 3 degrees of freedom, and wrong.
model DividedCombination
  Real x1(start = 1), x2(start = 1), x3(start = 0.5), x4(start = 1);
equation
  -2*der(x1)*time^2 - 2*der(x1) - 2*der(x2)*time^2 + der(x2)*x3 - 2*der(x2) - 2*der(x4) - time^2*x1 - time^2*x2
    - 4*time*x1 - 4*time*x2 + x1 - x2 - x4 - cos(2*time) = 0;
  der(x1) - x2 - x3 - x4 - sin(time) = 0;
  der(x1)*time^2 + der(x1) + der(x2)*time^2 + der(x2) + der(x4) + 2*time*x1 + 2*time*x2 - x1 = 0;
  der(x2) = 0;
end DividedCombination;
// expect: index=3 dof=1 constraint_count=1 hidden_count=2 verdict=ok certificate=converted initial.free_choice.0=x2 initial.free_choice.1=x4
// expect-hidden: 2*sin(2*time) - x1 = 0
