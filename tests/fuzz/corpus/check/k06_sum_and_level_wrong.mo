model SumAndLevelWrong
  Real x, y;
equation
  der(x) + der(y) = 2;
  x + y = time;
end SumAndLevelWrong;
