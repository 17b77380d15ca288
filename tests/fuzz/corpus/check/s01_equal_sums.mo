model EqualSums
  Real x(start = 1, fixed = true), y;
equation
  der(x) + der(y) + x = 0;
  der(x) + der(y) + y = sin(time);
end EqualSums;
