// z stands in no equation.
model UnusedVariable
  Real x, z;
equation
  der(x) = -x;
end UnusedVariable;
// expect: verdict=unbalanced index=null unknowns=2 equations=1
// expect-reason: z
// expect-exit: 1
