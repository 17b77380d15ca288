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
//| model Top
//|   parameter Integer n = 2;
//|   parameter Real K[2] = {7, 8};
//|   parameter Real 'p[1].k' = 3;
//|   parameter Real 'p[1].a'[2] = {1, 2};
//|   Real 'p[1].x'(start = 5, fixed = true);
//|   parameter Real 'p[2].k' = 4;
//|   parameter Real 'p[2].a'[2] = {3, 4};
//|   Real 'p[2].x'(start = 6, fixed = true);
//|   parameter Real 'q[1].k' = 9;
//|   parameter Real 'q[1].a'[2] = {5, 6};
//|   Real 'q[1].x'(start = 3, fixed = true);
//|   parameter Real 'q[2].k' = 9;
//|   parameter Real 'q[2].a'[2] = {5, 6};
//|   Real 'q[2].x'(start = 3, fixed = true);
//|   parameter Real 'r[1].k' = K[1];
//|   parameter Real 'r[1].a'[2] = {1, 2};
//|   Real 'r[1].x'(start = 2, fixed = true, max = 10);
//|   parameter Real 'r[2].k' = K[2];
//|   parameter Real 'r[2].a'[2] = {1, 2};
//|   Real 'r[2].x'(start = 2, fixed = true, max = 20);
//|   parameter Real 's[1].k' = 1^2;
//|   parameter Real 's[1].a'[2] = {1, 2};
//|   Real 's[1].x'(start = 1);
//|   parameter Real 's[2].k' = 2^2;
//|   parameter Real 's[2].a'[2] = {1, 2};
//|   Real 's[2].x'(start = 1);
//|   parameter Real 't[1].k' = 2*K[1];
//|   parameter Real 't[1].a'[2] = {0.5, 0.5};
//|   Real 't[1].x'(start = 1, fixed = true);
//|   parameter Real 't[2].k' = 2*K[2];
//|   parameter Real 't[2].a'[2] = {0.5, 0.5};
//|   Real 't[2].x'(start = 1, fixed = true);
//| equation
//|   der('p[1].x') = -'p[1].k'*'p[1].x' + sum('p[1].a');
//|   der('p[2].x') = -'p[2].k'*'p[2].x' + sum('p[2].a');
//|   der('q[1].x') = -'q[1].k'*'q[1].x' + sum('q[1].a');
//|   der('q[2].x') = -'q[2].k'*'q[2].x' + sum('q[2].a');
//|   der('r[1].x') = -'r[1].k'*'r[1].x' + sum('r[1].a');
//|   der('r[2].x') = -'r[2].k'*'r[2].x' + sum('r[2].a');
//|   der('s[1].x') = -'s[1].k'*'s[1].x' + sum('s[1].a');
//|   der('s[2].x') = -'s[2].k'*'s[2].x' + sum('s[2].a');
//|   der('t[1].x') = -'t[1].k'*'t[1].x' + sum('t[1].a');
//|   der('t[2].x') = -'t[2].k'*'t[2].x' + sum('t[2].a');
//| end Top;
// expect: verdict=ok index=0 dof=10 unknowns=10 equations=10
