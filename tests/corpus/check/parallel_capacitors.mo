// Source, resistor and two capacitors in parallel (Cellier): the capacitors share one voltage.
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
// expect: index=2 structural_index=2 dof=1 constraint_count=5 hidden_count=1 unknowns=7 equations=7
// expect: certificate=structural verdict=ok kind=dae initial.missing=0 initial.excess=0
// expect-equivalent: i1/C1 = i2/C2
