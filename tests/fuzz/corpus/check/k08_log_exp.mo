model LogExp
  Real x(start = 1, fixed = true), y(start = 2);
equation
  der(log(x*y)) - der(x)/x - der(y)/y + y = 2*x;
  der(x) = -y;
end LogExp;
