model Differentiators
  Real x1, x2, x3, x4;
equation
  x1 = sin(time);
  der(x1) = x2;
  der(x2) = x3;
  der(x3) = x4;
end Differentiators;
