model ImplicitMatrix
  Real x[2](start = {0.5, 0.2}, each fixed = true);
equation
  [2 + x[1]^2, sin(x[2]); -sin(x[2]), 1]*der(x) = {x[2], -x[1] + time};
end ImplicitMatrix;
