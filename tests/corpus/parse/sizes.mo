// sizes from parameters that are declared later, from other arrays, from values
model Sizes
  Real x[n + 1] = fill(k, size(x, 1)) + zeros(n + 1);
  parameter Integer n = 2*m;
  parameter Integer m = 1;
  parameter Real A[:, :] = [1, 2; 3, 4; 5, 6];
  parameter Real t[:] = A[:, 2];
  parameter Real k = t[end];
  Real y[size(A, 1)] = A*{1, 1};
  Real none[0];
  Real w[:] = {time, 2*time};
end Sizes;
// expect-count: arrays=9 rows=8 groups=3
// expect-var: n value=2 structural=true
// expect-var: m value=1
// expect-var: A[3,1] value=5
// expect-var: t[2] value=4
// expect-var: k value=6 structural=false
// expect-row: x = {k, k, k}
// expect-row: y[1] = A[1,1] + A[1,2]
// expect-row: y[2] = A[2,1] + A[2,2]
// expect-row: y[3] = A[3,1] + A[3,2]
// expect-row: w = {time, 2*time}
