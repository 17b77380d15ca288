model M
  input parameter Real k = 1;
  input output Real u;
  input Real w = x;
  Real x = 1;
end M;
// expect-error: 2:24: k cannot be an input and a parameter at once
// expect-error: 3:21: u cannot be an input and an output at once
// expect-error: 4:18: the input w is given as a function of a variable: declare it without `input`
