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
//| model Top
//|   Real 'p.x';
//|   Real 'p.y';
//|   Real 'q[1].x';
//|   Real 'q[1].y';
//|   Real 'q[2].x';
//|   Real 'q[2].y';
//|   Real 'l.a.x';
//|   Real 'l.a.y';
//|   Real 'l.b.x';
//|   Real 'l.b.y';
//|   parameter Real 'l.width' = 3;
//|   parameter Real 'd.k' = 5;
//|   parameter Real 'd.c'[2] = {1, 2};
//|   parameter Real 'e[1].k' = 7;
//|   parameter Real 'e[1].c'[2] = {1, 2};
//|   parameter Real 'e[2].k' = 8;
//|   parameter Real 'e[2].c'[2] = {1, 2};
//| equation
//|   'p.x' = 'd.k';
//|   'p.y' = 'd.c'[1] + 'e[2].k';
//|   'q[1].x' = 1;
//|   'q[2].x' = 2;
//|   'q[1].y' - 3 = 0;
//|   'q[2].y' - 4 = 0;
//|   'l.a.x' = 1;
//|   'l.a.y' = 2;
//|   'l.b.x' = 'l.width';
//|   'l.b.y' - 'q[1].x' - 'q[2].x' = 0;
//| end Top;
// expect: verdict=ok index=1 dof=0 unknowns=10 equations=10
