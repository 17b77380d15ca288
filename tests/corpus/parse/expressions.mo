model Expressions
  Real x, y, v[3], w[3], A[3,3], r;
  parameter Boolean t = true, f = false;
equation
  x = -y^2 + 2*x/3 - 1.5e-3*(x - y);
  y = if t and not f or f then (if x >= y then 1 else 2) elseif x <> y then 3 else 4;
  v = 2*w .+ 1 .- w ./ 2 .* v .^ 2;
  w = A*v + {1, 2, 3} - [1, 2, 3; 4, 5, 6; 7, 8, 9]*v;
  A = identity(3) + transpose(A)*2;
  r = v*w + sum(v[i]*w[i] for i in 1:3) + sum({k^2 for k in 1:3}) + max(v) - v[end] + v[1:2]*w[2:3] + A[2, :]*A[:, 1];
end Expressions;
// expect-count: rows=18
// expect-row: x = -(y^2) + (2*x)/3 - 0.0015*x + 0.0015*y
// expect-row: y = if x >= y then 1 else 2
// expect-row: v[1] = 2*w[1] + 1 - w[1]/2*v[1]^2
// expect-row: v[2] = 2*w[2] + 1 - w[2]/2*v[2]^2
// expect-row: v[3] = 2*w[3] + 1 - w[3]/2*v[3]^2
// expect-row: w[1] = A[1,1]*v[1] + A[1,2]*v[2] + A[1,3]*v[3] + 1 - v[1] - 2*v[2] - 3*v[3]
// expect-row: w[2] = A[2,1]*v[1] + A[2,2]*v[2] + A[2,3]*v[3] + 2 - 4*v[1] - 5*v[2] - 6*v[3]
// expect-row: w[3] = A[3,1]*v[1] + A[3,2]*v[2] + A[3,3]*v[3] + 3 - 7*v[1] - 8*v[2] - 9*v[3]
// expect-row: A = [1 + 2*A[1,1], 2*A[2,1], 2*A[3,1]; 2*A[1,2], 1 + 2*A[2,2], 2*A[3,2]; 2*A[1,3], 2*A[2,3], 1 + 2*A[3,3]]
// expect-row: r = 2*v[1]*w[1] + 2*v[2]*w[2] + 2*v[3]*w[3] + 14 + max(v) - v[3] + v[1]*w[2] + v[2]*w[3] + A[2,1]*A[1,1] + A[2,2]*A[2,1] + A[2,3]*A[3,1]
