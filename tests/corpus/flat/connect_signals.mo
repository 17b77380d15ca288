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
//| model Top
//|   input Real r;
//|   output Real out;
//|   parameter Real 'g[1].k' = 1;
//|   Real 'g[1].u';
//|   Real 'g[1].y';
//|   parameter Real 'g[2].k' = 2;
//|   Real 'g[2].u';
//|   Real 'g[2].y';
//|   parameter Real 'g[3].k' = 3;
//|   Real 'g[3].u';
//|   Real 'g[3].y';
//|   parameter Integer 's.n' = 3;
//|   Real 's.u'[3];
//|   Real 's.y';
//|   Real 'l.u';
//|   Real 'l.y'(start = 0, fixed = true);
//| equation
//|   'g[1].y' = 'g[1].k'*'g[1].u';
//|   'g[2].y' = 'g[2].k'*'g[2].u';
//|   'g[3].y' = 'g[3].k'*'g[3].u';
//|   's.y' = sum('s.u');
//|   der('l.y') = 'l.u' - 'l.y';
//|   r = 'g[1].u';
//|   r = 'g[2].u';
//|   r = 'g[3].u';
//|   'g[1].y' = 's.u'[1];
//|   'g[2].y' = 's.u'[2];
//|   'g[3].y' = 's.u'[3];
//|   's.y' = 'l.u';
//|   'l.y' = out;
//| end Top;
// expect: verdict=ok index=1 dof=1 unknowns=13 equations=13
