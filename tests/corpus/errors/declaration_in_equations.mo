model M
  Real x;
equation
  parameter Real k = 2;
  Real z;
  x = 1;
end M;
// expect-error: 4:3: declarations come before the first section: move this above `equation`
// expect-error: 5:3: declarations come before the first section: move this above `equation` (or is an operator or a `;` missing between `Real` and `z`?)
