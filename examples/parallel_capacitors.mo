// Two capacitors in parallel share their voltage: one of them is no state. Index 2, 1 degree of freedom.
model ParallelCapacitors
  parameter Real R = 10, C1 = 1e-3, C2 = 2e-3;
  Real v0, vR, i0, i1, i2, v1(start = 0, fixed = true), v2;
equation
  v0 = sin(time);
  vR = R*i0;
  i1 = C1*der(v1);
  i2 = C2*der(v2);
  v0 = vR + v1;
  v2 = v1;
  i0 = i1 + i2;
end ParallelCapacitors;
