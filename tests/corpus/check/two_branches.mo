// Ascher and Petzold: x2 is 0 or 1, and the index depends on which.
model TwoBranches
  Real x1(start = 0.3), x2(start = 0), x3;
equation
  der(x1) = x3;
  x2*(1 - x2) = 0;
  x1*x2 + x3*(1 - x2) = time;
end TwoBranches;
// expect: index=1 structural_index=1 dof=1 constraint_count=2 hidden_count=0 unknowns=3 equations=3
// expect: certificate=structural|derivative_array verdict=ok kind=dae
// run: --set x2=1
// expect: index=2 dof=0 constraint_count=2 hidden_count=1 unknowns=3 verdict=ok certificate=converted|derivative_array
