// Arrays of no components, and of one.
model Part
  Real x = 1;
end Part;
model Top
  parameter Integer n = 0;
  Part p[n], q[1];
  Real s = sum(p.x) + sum(q.x), k = size(p, 1), v[n] = p.x;
equation
  for i in 1:n loop
    assert(p[i].x > 0, "positive");
  end for;
end Top;
// run: Top
//| model Top
//|   parameter Integer n = 0;
//|   Real 'q[1].x' = 1;
//|   Real s = 'q[1].x';
//|   Real k = 0;
//|   Real v[0] = zeros(0);
//| end Top;
// expect: verdict=ok index=1 dof=0 unknowns=3 equations=3
// run: Top --set n=1
//| model Top
//|   parameter Integer n = 1;
//|   Real 'p[1].x' = 1;
//|   Real 'q[1].x' = 1;
//|   Real s = 'p[1].x' + 'q[1].x';
//|   Real k = 1;
//|   Real v[1] = {'p[1].x'};
//| equation
//|   assert('p[1].x' > 0, "positive");
//| end Top;
// expect: verdict=ok index=1 dof=0 unknowns=5 equations=5
