model DifferenceParameter
  parameter Real a = 2, b = 1;
  Real x(start = 1), y;
equation
  der(x) = -y;
  (a - b)*der(y) + y = x;
end DifferenceParameter;
