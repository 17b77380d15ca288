within Parts;
model Decay
  parameter Real rate = k;
  Real x(start = 1, fixed = true);
equation
  der(x) = -rate*x;
end Decay;
