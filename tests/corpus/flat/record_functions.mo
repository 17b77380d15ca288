// Records as arguments and results of functions.
record Complex
  Real re, im;
end Complex;
function mul
  input Complex a, b;
  output Complex c;
algorithm
  c.re := a.re*b.re - a.im*b.im;
  c.im := a.re*b.im + a.im*b.re;
end mul;
function abs2
  input Complex a;
  output Real y;
algorithm
  y := a.re^2 + a.im^2;
end abs2;
function make
  input Real r;
  output Complex c = Complex(r, -r);
algorithm
end make;
model Top
  Complex u(re = time, im = 1), v, w = make(3);
  Real n = abs2(mul(u, w));
equation
  v = mul(u, Complex(2, 3));
end Top;
//| model Top
//|   Real 'u.re' = time;
//|   Real 'u.im' = 1;
//|   Real 'v.re';
//|   Real 'v.im';
//|   Real 'w.re' = 3;
//|   Real 'w.im' = -3;
//|   Real n = ('u.re'*'w.re' - 'u.im'*'w.im')^2 + ('u.re'*'w.im' + 'u.im'*'w.re')^2;
//| equation
//|   3*'u.im' - 2*'u.re' + 'v.re' = 0;
//|   'v.im' - 3*'u.re' - 2*'u.im' = 0;
//| end Top;
// expect: verdict=ok index=1 dof=0 unknowns=7 equations=7
