// A chain of extends, each with modifications: the outermost counts, values are read where they are written.
model A
  parameter Real k = 1, m = 1;
  Real x(start = 1, min = 0, fixed = true);
equation
  der(x) = -k*x/m;
end A;
model B
  extends A(k = 2, x(start = 5));
end B;
model C
  parameter Real f = 7;
  extends B(k = f, x(max = 100), m = 3*k);
end C;
model Top
  extends C(f = 8, x(start = 6));
  C c(k = 4);
end Top;
//| model Top
//|   parameter Real f = 8;
//|   parameter Real k = f;
//|   parameter Real m = 3*k;
//|   Real x(start = 6, fixed = true, min = 0, max = 100);
//|   parameter Real 'c.f' = 7;
//|   parameter Real 'c.k' = 4;
//|   parameter Real 'c.m' = 3*'c.k';
//|   Real 'c.x'(start = 5, fixed = true, min = 0, max = 100);
//| equation
//|   der('c.x') = -'c.k'*'c.x'/'c.m';
//|   der(x) = -k*x/m;
//| end Top;
// expect: verdict=ok index=0 dof=2 unknowns=2 equations=2
