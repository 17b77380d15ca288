model LostRank
  Real x1, x2, l;
equation
  der(x1) = x1 + 5*x2 - l;
  der(x2) = -2*x1 + x2 - l;
  x1 - x2 = 0;
end LostRank;
