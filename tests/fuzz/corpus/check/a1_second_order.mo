model SecondOrder
  Real x(start = 1, fixed = true);
initial equation
  der(x) = 0;
equation
  der(der(x)) = -5*der(x) - 2*x;
end SecondOrder;
