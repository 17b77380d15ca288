model M
  parameter Integer n = 3;
  Real p[3](each start = 1), q[2](each start = 0), s(start = 0);
equation
  der(p) = {0, 1, s};
  der(q) = {1, s};
  der(s) = 1;
  annotation(Daedal(draw(
    a = point(s),
    b = line(p, q),
    c = box(p, size = {1, 2}),
    d = box(q, size = {1, 2}, rotation = identity(3)),
    e = {line(p, {i, 0, 0, 0}) for i in 1:n},
    f = sphere(p, radius = p),
    g = arrow(p, s),
    h = frame(p, rotation = s))));
end M;
// expect-error: 9:15: a point is a vector of two or three coordinates, but s is a scalar
// expect-error: 10:17: all points of a shape have two coordinates, or all three; here three, but q has size 2
// expect-error: 11:23: all points of a shape have two coordinates, or all three; here three, but {1, 2} has size 2
// expect-error: 12:42: a rotation in the plane is an angle, but identity(3) has size 3 x 3
// expect-error: 13:18: a point is a vector of two or three coordinates, but {1, 0, 0, 0} has size 4
// expect-error: 14:28: radius is a number, but p has size 3
// expect-error: 15:18: the second argument of arrow is a vector of two or three numbers, but s is a scalar
// expect-error: 16:29: a rotation is a matrix of size 3 x 3 or a quaternion of size 4, but s is a scalar
