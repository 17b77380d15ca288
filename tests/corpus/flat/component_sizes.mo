// Sizes that come from parameters and values of other components, unknown sizes given from outside, loops with sizes of parts.
model Table
  parameter Real t[:] = {1, 2, 3};
  parameter Real m[:, 2] = fill(0, 1, 2);
  parameter Integer n = size(t, 1);
  Real y[n + size(m, 1)] = fill(sum(t), n + size(m, 1));
end Table;
model Top
  Table a, b(t = {4, 5}, m = [1, 2; 3, 4]), c[2](t = {{6}, {7}});
  parameter Integer k = a.n + b.n;
  Real z[k], s[2];
equation
  for i in 1:size(a.y, 1) loop
    z[i] = a.y[i];
  end for;
  z[5] = b.y[1];
  for i in 1:2 loop
    s[i] = sum(c[i].y[j] for j in 1:c[i].n);
  end for;
end Top;
//| model Top
//|   parameter Real 'a.t'[3] = {1, 2, 3};
//|   parameter Real 'a.m'[1, 2] = {{0, 0}};
//|   parameter Integer 'a.n' = size('a.t', 1);
//|   Real 'a.y'[4] = fill(sum('a.t'), 'a.n' + size('a.m', 1));
//|   parameter Real 'b.t'[2] = {4, 5};
//|   parameter Real 'b.m'[2, 2] = {{1, 2}, {3, 4}};
//|   parameter Integer 'b.n' = size('b.t', 1);
//|   Real 'b.y'[4] = fill(sum('b.t'), 'b.n' + size('b.m', 1));
//|   parameter Real 'c[1].t'[1] = {6};
//|   parameter Real 'c[1].m'[1, 2] = {{0, 0}};
//|   parameter Integer 'c[1].n' = size('c[1].t', 1);
//|   Real 'c[1].y'[2] = fill(sum('c[1].t'), 'c[1].n' + size('c[1].m', 1));
//|   parameter Real 'c[2].t'[1] = {7};
//|   parameter Real 'c[2].m'[1, 2] = {{0, 0}};
//|   parameter Integer 'c[2].n' = size('c[2].t', 1);
//|   Real 'c[2].y'[2] = fill(sum('c[2].t'), 'c[2].n' + size('c[2].m', 1));
//|   parameter Integer k = 'a.n' + 'b.n';
//|   Real z[5];
//|   Real s[2];
//| equation
//|   z[1] = 'a.y'[1];
//|   z[2] = 'a.y'[2];
//|   z[3] = 'a.y'[3];
//|   z[4] = 'a.y'[4];
//|   z[5] = 'b.y'[1];
//|   s[1] = sum('c[1].y'[j] for j in 1:'c[1].n');
//|   s[2] = sum('c[2].y'[j] for j in 1:'c[2].n');
//| end Top;
// expect: verdict=ok index=1 dof=0 unknowns=19 equations=19
