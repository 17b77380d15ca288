model Inputs
  parameter Real w = 3;
  input Real u = sin(w*time), v[2] = {1, time};
  Real x = u + v[2];
end Inputs;
// expect-count: rows=1 groups=1
// expect-var: u kind=input
// expect-row: x = u + v[2]
