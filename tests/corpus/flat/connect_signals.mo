// Connectors that are variables: inputs and outputs of blocks, in chains and in arrays; the model's own input.
connector RealInput = input Real;
connector RealOutput = output Real;
block Gain
  parameter Real k = 1;
  RealInput u;
  RealOutput y;
equation
  y = k*u;
end Gain;
block Sum
  parameter Integer n = 2;
  RealInput u[n];
  RealOutput y;
equation
  y = sum(u);
end Sum;
block Lag
  RealInput u;
  RealOutput y(start = 0, fixed = true);
equation
  der(y) = u - y;
end Lag;
model Top
  RealInput r;
  RealOutput out;
  Gain g[3](k = {1, 2, 3});
  Sum s(n = 3);
  Lag l;
equation
  for i in 1:3 loop
    connect(r, g[i].u);
  end for;
  connect(g.y, s.u);
  connect(s.y, l.u);
  connect(l.y, out);
end Top;
