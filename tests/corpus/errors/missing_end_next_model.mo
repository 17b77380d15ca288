model A
  Real x;
equation
  x = 1;
model B
  Real y = 2;
end B;
// expect-error: 1:7: the model A is never closed: add `end A;`
