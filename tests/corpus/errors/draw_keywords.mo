model M
  Real p[3](each start = 1), s(start = 0);
equation
  der(p) = {0, 1, s};
  der(s) = 1;
  annotation(Daedal(draw(
    a = point(p, raduis = 0.1),
    b = point(p, coils = 3),
    c = sphere(p),
    d = line(p),
    e = point(p, colour = "oragne"),
    f = point(p, colour = "<b>"),
    g = point(p, opacity = 2),
    h = text(p, s),
    i = point(p, p),
    j = trail(p, duration = s),
    a = point(p),
    view(form = {1, 1, 1}, width, path = {s, 2}))));
end M;
// expect-error: 17:5: draw has two entries named a
// expect-error: 7:18: point has no raduis: did you mean radius?
// expect-error: 8:18: point has no coils; an example is point(p, radius = 0.02)
// expect-error: 9:9: sphere needs more: an example is sphere(p, radius = 0.1)
// expect-error: 10:9: line needs more: an example is line(a, b, radius = 0.01)
// expect-error: 11:27: there is no colour "oragne": did you mean "orange"?
// expect-error: 12:27: there is no colour "<b>": write a name such as "red", or "#rrggbb"
// expect-error: 13:28: opacity is a number from 0 to 1
// expect-error: 14:17: the second argument of text is a text in quotes
// expect-error: 15:18: point has too many arguments; an example is point(p, radius = 0.02)
// expect-error: 16:29: duration is a number that does not change with time
// expect-error: 18:10: view has no form: did you mean from?
// expect-error: 18:28: width needs a value: view(width = ...)
// expect-error: 18:42: path has two variables: path = {x, y}
