// array equations keep their shape in what is printed
model Velocity
  Real p[2], v[2], a;
equation
  der(p) = v;
  der(v) = -p*a;
  a = p*p;
end Velocity;
// expect-equation: der(p) = v
// expect-equation: der(v) = -p*a
// expect-equation: a = p*p
// expect-count: rows=5 groups=3
