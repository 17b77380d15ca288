model EqualStates
  Real x1(start = 0.5, fixed = true), x2, v;
equation
  der(x1) = 1 - x1;
  der(x2) = v;
  x1 = x2;
end EqualStates;
