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
