model M
  parameter Real L = 1;
  Real p[2](start = {L, 0}), s(start = 0);
equation
  der(p) = {0, 1};
  der(s) = 1;
  annotation(Daedal(draw(bob = point(q), rod = line({0, 0}, pp), ball = spere(p), here = p, point(p), two = point(der(p)))));
end M;
// expect-error: 7:38: q is not declared
// expect-error: 7:61: pp is not declared: did you mean p?
// expect-error: 7:73: there is no shape spere: did you mean sphere?
// expect-error: 7:90: here in draw is not a shape
// expect-error: 7:93: point needs a name in draw: draw(name = point(...))
// expect-error: 7:115: a derivative of p[1] cannot be drawn: declare a variable for it
