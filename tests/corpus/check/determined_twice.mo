// z is determined twice, x and y share one equation.
model DeterminedTwice
  Real x, y, z;
equation
  x + y = sin(time);
  z = sin(time);
  der(z) = cos(time);
end DeterminedTwice;
// expect: status=ok index=null dof=null verdict=singular unknowns=3 equations=3
// expect-reason: z
// expect-reason: x
// expect-reason: y
// expect-reason: determined_twice.mo:6
// expect-exit: 1
