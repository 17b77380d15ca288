// A capacitor across a voltage source.
model CapacitorSource
  parameter Real C = 0.1;
  Real v, i;
equation
  v = sin(time);
  i = C*der(v);
end CapacitorSource;
// expect: index=2 structural_index=2 dof=0 constraint_count=1 hidden_count=1 unknowns=2 equations=2
// expect: certificate=structural verdict=ok kind=dae initial.missing=0 initial.excess=0
// expect-equivalent: i = C*cos(time)
