// Arrays of components: an array for the elements, each for all, scalars for all, rows of matrices, attributes.
model Part
  parameter Real k = 1, a[2] = {1, 2};
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x + sum(a);
end Part;
model Top
  parameter Integer n = 2;
  parameter Real K[n] = {7, 8};
  Part p[n](k = {3, 4}, a = [1, 2; 3, 4], x(start = {5, 6}));
  Part q[2](each k = 9, each a = {5, 6}, each x(start = 3));
  Part r[n](k = K, x(each start = 2, max = {10, 20}));
  Part s[2](k = {i^2 for i in 1:2}, x(each fixed = false));
  Part t[2](k = 2*K, a = fill(0.5, 2, 2));
end Top;
