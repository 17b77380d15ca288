model TwoChains
  Real a1, a2, a3, b1, b2;
equation
  a1 + b1 = sin(time);
  b1 - a1 = cos(time);
  der(a1) = a2;
  der(a2) = a3;
  der(b1) = b2 + a3;
end TwoChains;
