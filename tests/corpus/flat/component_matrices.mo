// Two-dimensional arrays of components, arrays inside arrays.
model Cell
  parameter Real k = 1;
  Real x = k*time;
end Cell;
model Row
  Cell c[2];
end Row;
model Top
  Cell g[2, 3](k = [1, 2, 3; 4, 5, 6]);
  Row r[3](c(k = {{1, 2}, {3, 4}, {5, 6}}));
  Row s[2](c(each k = 7));
  Row t[2](each c(k = {8, 9}));
  Real total = sum(g.x), first[2] = g[:, 1].x, line[3] = g[2, :].x, m[3, 2] = r.c.x, one = r[2].c[1].x, col[3] = r.c[2].x;
end Top;
//| model Top
//|   parameter Real 'g[1,1].k' = 1;
//|   Real 'g[1,1].x' = 'g[1,1].k'*time;
//|   parameter Real 'g[1,2].k' = 2;
//|   Real 'g[1,2].x' = 'g[1,2].k'*time;
//|   parameter Real 'g[1,3].k' = 3;
//|   Real 'g[1,3].x' = 'g[1,3].k'*time;
//|   parameter Real 'g[2,1].k' = 4;
//|   Real 'g[2,1].x' = 'g[2,1].k'*time;
//|   parameter Real 'g[2,2].k' = 5;
//|   Real 'g[2,2].x' = 'g[2,2].k'*time;
//|   parameter Real 'g[2,3].k' = 6;
//|   Real 'g[2,3].x' = 'g[2,3].k'*time;
//|   parameter Real 'r[1].c[1].k' = 1;
//|   Real 'r[1].c[1].x' = 'r[1].c[1].k'*time;
//|   parameter Real 'r[1].c[2].k' = 2;
//|   Real 'r[1].c[2].x' = 'r[1].c[2].k'*time;
//|   parameter Real 'r[2].c[1].k' = 3;
//|   Real 'r[2].c[1].x' = 'r[2].c[1].k'*time;
//|   parameter Real 'r[2].c[2].k' = 4;
//|   Real 'r[2].c[2].x' = 'r[2].c[2].k'*time;
//|   parameter Real 'r[3].c[1].k' = 5;
//|   Real 'r[3].c[1].x' = 'r[3].c[1].k'*time;
//|   parameter Real 'r[3].c[2].k' = 6;
//|   Real 'r[3].c[2].x' = 'r[3].c[2].k'*time;
//|   parameter Real 's[1].c[1].k' = 7;
//|   Real 's[1].c[1].x' = 's[1].c[1].k'*time;
//|   parameter Real 's[1].c[2].k' = 7;
//|   Real 's[1].c[2].x' = 's[1].c[2].k'*time;
//|   parameter Real 's[2].c[1].k' = 7;
//|   Real 's[2].c[1].x' = 's[2].c[1].k'*time;
//|   parameter Real 's[2].c[2].k' = 7;
//|   Real 's[2].c[2].x' = 's[2].c[2].k'*time;
//|   parameter Real 't[1].c[1].k' = 8;
//|   Real 't[1].c[1].x' = 't[1].c[1].k'*time;
//|   parameter Real 't[1].c[2].k' = 9;
//|   Real 't[1].c[2].x' = 't[1].c[2].k'*time;
//|   parameter Real 't[2].c[1].k' = 8;
//|   Real 't[2].c[1].x' = 't[2].c[1].k'*time;
//|   parameter Real 't[2].c[2].k' = 9;
//|   Real 't[2].c[2].x' = 't[2].c[2].k'*time;
//|   Real total = 'g[1,1].x' + 'g[1,2].x' + 'g[1,3].x' + 'g[2,1].x' + 'g[2,2].x' + 'g[2,3].x';
//|   Real first[2] = {'g[1,1].x', 'g[2,1].x'};
//|   Real line[3] = {'g[2,1].x', 'g[2,2].x', 'g[2,3].x'};
//|   Real m[3, 2] = {{'r[1].c[1].x', 'r[1].c[2].x'}, {'r[2].c[1].x', 'r[2].c[2].x'}, {'r[3].c[1].x', 'r[3].c[2].x'}};
//|   Real one = 'r[2].c[1].x';
//|   Real col[3] = {'r[1].c[2].x', 'r[2].c[2].x', 'r[3].c[2].x'};
//| end Top;
// expect: verdict=ok index=1 dof=0 unknowns=36 equations=36
