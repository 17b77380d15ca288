model SingularStart
  Real x(start = 1);
equation
  time*der(x) + x = 1;
end SingularStart;
