model SumAndLevel
  Real x, y;
equation
  der(x) + der(y) = 1;
  x + y = time;
end SumAndLevel;
