// The value of a modification is read where it is written, also when the names are the same inside.
model Part
  parameter Real k = 1, twice = 2*k;
  Real x = k;
end Part;
model Group
  parameter Real k = 3;
  Part p(k = k), q(k = 2*k, twice = k), r(twice = p.twice + 1);
end Group;
model Top
  parameter Real k = 5;
  Group g(k = k + 1), h;
end Top;
//| model Top
//|   parameter Real k = 5;
//|   parameter Real 'g.k' = k + 1;
//|   parameter Real 'g.p.k' = 'g.k';
//|   parameter Real 'g.p.twice' = 2*'g.p.k';
//|   Real 'g.p.x' = 'g.p.k';
//|   parameter Real 'g.q.k' = 2*'g.k';
//|   parameter Real 'g.q.twice' = 'g.k';
//|   Real 'g.q.x' = 'g.q.k';
//|   parameter Real 'g.r.k' = 1;
//|   parameter Real 'g.r.twice' = 'g.p.twice' + 1;
//|   Real 'g.r.x' = 'g.r.k';
//|   parameter Real 'h.k' = 3;
//|   parameter Real 'h.p.k' = 'h.k';
//|   parameter Real 'h.p.twice' = 2*'h.p.k';
//|   Real 'h.p.x' = 'h.p.k';
//|   parameter Real 'h.q.k' = 2*'h.k';
//|   parameter Real 'h.q.twice' = 'h.k';
//|   Real 'h.q.x' = 'h.q.k';
//|   parameter Real 'h.r.k' = 1;
//|   parameter Real 'h.r.twice' = 'h.p.twice' + 1;
//|   Real 'h.r.x' = 'h.r.k';
//| end Top;
// expect: verdict=ok index=1 dof=0 unknowns=6 equations=6
