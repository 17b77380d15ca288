// der(x1) + x2*der(der(x2)) inside exp: no combination of rows with allowed coefficients; x1 + x2*der(x2) as a new
// unknown repairs the structure (Tan, Nedialkov and Pryce 2017)
model SubstitutedExponential
  Real x1(start = 1.9), x2(start = 2, fixed = true);
equation
  x1 + exp(-der(x1) - x2*der(der(x2))) = 2 + sin(time);
  x1 + x2*der(x2) + x2^2 = 3 + cos(time);
end SubstitutedExponential;
// expect: index=2 structural_index=1 dof=1 constraint_count=1 hidden_count=1 unknowns=3 kind=dae verdict=ok certificate=converted initial.missing=0 initial.excess=0
