// Records as a whole in equations, bindings and declarations; constructors with positions and names.
record Point
  Real x, y = 0;
end Point;
record Line
  Point a, b;
end Line;
model Top
  Point p, q = Point(1, 2), r = Point(x = 3), s = p;
  Line l = Line(q, Point(4, 5)), m;
  Point t[2] = {Point(6, 7), q};
equation
  p = Point(time, 2*time);
  m = l;
end Top;
