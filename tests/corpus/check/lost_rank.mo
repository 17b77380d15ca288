// GJ = 0: the multiplier cancels in the derivative of the constraint, which brings another constraint. Index 3.
model LostRank
  Real x1, x2, l;
equation
  der(x1) = x1 + 5*x2 - l;
  der(x2) = -2*x1 + x2 - l;
  x1 - x2 = 0;
end LostRank;
// expect: index=3 dof=0 constraint_count=1 hidden_count=2 unknowns=3 kind=dae verdict=ok certificate=converted|derivative_array
