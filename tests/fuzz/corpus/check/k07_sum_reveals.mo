model SumReveals
  Real x(start = 1), y, z;
equation
  der(x) + der(y) + z = 0;
  x + y = sin(time);
  der(y) = x;
end SumReveals;
