// Arrays of records of parameters inside arrays of components: families of families.
record M parameter Real a = 1; parameter Real v[2] = {1, 2}; end M;
model Part parameter M m[2]; parameter Integer k = 2; parameter Real s = sum(m.a) + sum(m.v); Real x = m[k].v[1] + m[1].a; end Part;
model Top
  Part p(m(a = {3, 4})), q[2](m(each a = 5), k = {1, 2});
  Real z = sum(q.m.a), y = sum(p.m[2].v), w = q[2].m[1].v[2];
end Top;
//| model Top
//|   parameter Real 'p.m[1].a' = 3;
//|   parameter Real 'p.m[1].v'[2] = {1, 2};
//|   parameter Real 'p.m[2].a' = 4;
//|   parameter Real 'p.m[2].v'[2] = {1, 2};
//|   parameter Integer 'p.k' = 2;
//|   parameter Real 'p.s' = 'p.m[1].a' + 'p.m[2].a' + 'p.m[1].v'[1] + 'p.m[1].v'[2] + 'p.m[2].v'[1] + 'p.m[2].v'[2];
//|   Real 'p.x' = 'p.m[1].a' + 'p.m[2].v'[1];
//|   parameter Real 'q[1].m[1].a' = 5;
//|   parameter Real 'q[1].m[1].v'[2] = {1, 2};
//|   parameter Real 'q[1].m[2].a' = 5;
//|   parameter Real 'q[1].m[2].v'[2] = {1, 2};
//|   parameter Integer 'q[1].k' = 1;
//|   parameter Real 'q[1].s' = 'q[1].m[1].a' + 'q[1].m[2].a' + 'q[1].m[1].v'[1] + 'q[1].m[1].v'[2] + 'q[1].m[2].v'[1] + 'q[1].m[2].v'[2];
//|   Real 'q[1].x' = 'q[1].m[1].a' + 'q[1].m[1].v'[1];
//|   parameter Real 'q[2].m[1].a' = 5;
//|   parameter Real 'q[2].m[1].v'[2] = {1, 2};
//|   parameter Real 'q[2].m[2].a' = 5;
//|   parameter Real 'q[2].m[2].v'[2] = {1, 2};
//|   parameter Integer 'q[2].k' = 2;
//|   parameter Real 'q[2].s' = 'q[2].m[1].a' + 'q[2].m[2].a' + 'q[2].m[1].v'[1] + 'q[2].m[1].v'[2] + 'q[2].m[2].v'[1] + 'q[2].m[2].v'[2];
//|   Real 'q[2].x' = 'q[2].m[1].a' + 'q[2].m[2].v'[1];
//|   Real z = 'q[1].m[1].a' + 'q[1].m[2].a' + 'q[2].m[1].a' + 'q[2].m[2].a';
//|   Real y = sum('p.m[2].v');
//|   Real w = 'q[2].m[1].v'[2];
//| end Top;
// expect: verdict=ok index=1 dof=0 unknowns=6 equations=6
