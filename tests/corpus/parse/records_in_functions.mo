// Records as inputs, outputs and local variables of functions, and their constructors in equations.
record Complex
  Real re;
  Real im;
end Complex;
function multiply
  input Complex a;
  input Complex b;
  output Complex c;
algorithm
  c.re := a.re*b.re - a.im*b.im;
  c.im := a.re*b.im + a.im*b.re;
end multiply;
function norm2
  input Complex a;
  output Real r = a.re^2 + a.im^2;
end norm2;
model Records
  Complex p, q, s(re(start = 2));
  Complex t = Complex(im = 3, re = time);
  Real n;
equation
  p = Complex(1, time);
  q = multiply(p, t);
  s = p;
  n = norm2(multiply(p, p));
end Records;
// expect-model: Records
// expect-count: vars=9 rows=9
// expect-row: t.re = time
// expect-row: t.im = 3
// expect-row: p.re = 1
// expect-row: p.im = time
// expect-row: q.re = p.re*t.re - p.im*t.im
// expect-row: q.im = p.re*t.im + p.im*t.re
// expect-row: s.re = p.re
// expect-row: s.im = p.im
// expect-row: n = (p.re*p.re - p.im*p.im)^2 + (p.re*p.im + p.im*p.re)^2
