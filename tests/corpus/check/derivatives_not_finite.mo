// A chain of index 4 and one finite eigenvalue; the start leads to x1 = 0, where a derivative has no finite value. That is
// reported, and is no reason to refuse the model.
model DerivativesNotFinite
  Real x1, x2(start = 1), x3, x4, x5;
equation
  2*der(x1)*x1*cos(x1) + 4*der(x1)*x1 + der(x3) + der(x4)*cos(x1) + 2*der(x4) - 2*der(x5)*cos(x1) - 4*der(x5) - x1 = 0;
  der(x2) - x3 = 0;
  der(x5) - x2 - sin(time) = 0;
  -x5 - cos(2*time) = 0;
  2*der(x1)*x1 + der(x4) - 2*der(x5) = 0;
end DerivativesNotFinite;
// expect: index=4 dof=1 verdict=ok certificate=undecided
