// Records as a whole in equations, bindings and declarations; constructors with positions and names.
record Point
  Real x, y = 0;
end Point;
record Plain
  Real x, y;
end Plain;
record Line
  Plain a, b;
end Line;
model Top
  Plain p;
  Point q = Point(1, 2), r = Point(x = 3), s = Point(p.x, p.y);
  Line l = Line(p, Plain(4, 5)), m;
  Point t[2] = {Point(6, 7), q};
equation
  p = Plain(time, 2*time);
  m = l;
end Top;
//| model Top
//|   Real 'p.x';
//|   Real 'p.y';
//|   Real 'q.x' = 1;
//|   Real 'q.y' = 2;
//|   Real 'r.x' = 3;
//|   Real 'r.y' = 0;
//|   Real 's.x' = 'p.x';
//|   Real 's.y' = 'p.y';
//|   Real 'l.a.x' = 'p.x';
//|   Real 'l.a.y' = 'p.y';
//|   Real 'l.b.x' = 4;
//|   Real 'l.b.y' = 5;
//|   Real 'm.a.x';
//|   Real 'm.a.y';
//|   Real 'm.b.x';
//|   Real 'm.b.y';
//|   Real 't[1].x' = 6;
//|   Real 't[1].y' = 7;
//|   Real 't[2].x' = 'q.x';
//|   Real 't[2].y' = 'q.y';
//| equation
//|   'p.x' = time;
//|   'p.y' = 2*time;
//|   'm.a.x' = 'l.a.x';
//|   'm.a.y' = 'l.a.y';
//|   'm.b.x' = 'l.b.x';
//|   'm.b.y' = 'l.b.y';
//| end Top;
// expect: verdict=ok index=1 dof=0 unknowns=20 equations=20
