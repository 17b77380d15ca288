model Conditional
  Real x(start = 0, fixed = true), y;
equation
  der(x) = 1 - y;
  y = if x == 0 then 1 else sin(x)/x;
end Conditional;
