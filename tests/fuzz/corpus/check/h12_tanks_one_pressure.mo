model JoinedTanks
  parameter Real A1 = 1, A2 = 3;
  input Real qin;
  Real h1(start = 1, fixed = true), h2, q;
equation
  A1*der(h1) = qin - q;
  A2*der(h2) = q - 0.1*sqrt(h2);
  h1 = h2;
end JoinedTanks;
