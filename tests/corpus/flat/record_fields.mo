// Records: fields, nested records, arrays of records, records of parameters.
record Point
  Real x, y;
end Point;
record Line
  Point a, b;
  parameter Real width = 1;
end Line;
record Data
  parameter Real k = 2, c[2] = {1, 2};
end Data;
model Top
  Point p, q[2];
  Line l(width = 3);
  parameter Data d(k = 5);
  Data e[2](k = {7, 8});
equation
  p.x = d.k;
  p.y = d.c[1] + e[2].k;
  for i in 1:2 loop
    q[i].x = i;
  end for;
  q.y = {3, 4};
  l.a.x = 1;
  l.a.y = 2;
  l.b.x = l.width;
  l.b.y = sum(q.x);
end Top;
