model TooMany
  Real x, y;
equation
  der(x) = -x + y;
  y = 2;
  y + sin(time) = 3;
end TooMany;
