function f input Real x[:]; input Integer n; output Real y; algorithm y := x[n]; end f;
model Top
  Real a = f({1, 2}, 3), b = f({1, 2}, 1.5), c = f({1, 2}, 0), d = f(fill(1, 0), 1);
end Top;
// expect-error: 1:78: subscript 3 is out of range: x has size 2
// expect-note: 3:12: in this call of f
// expect-error: 3:30: f: n is Integer, but the value given to it is Real
