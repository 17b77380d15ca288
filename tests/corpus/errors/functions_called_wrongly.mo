function f
  input Real u[3];
  input Real s = 1;
  output Real y;
algorithm
  y := s*sum(u);
end f;
function endless
  input Real u;
  output Real y;
algorithm
  y := endless(u);
end endless;
partial function P
  input Real u;
  output Real y;
end P;
model M
  Real a, b[2], c[3];
equation
  a = f(b);
  a = f(c, t = 2);
  a = f();
  a = f(c, 1, 2);
  a = f(c, true);
  a = endless(a);
  a = P(a);
  a = g(a);
end M;
// expect-error: 22:12: f has no input t
// expect-error: 23:7: f: the input u is not given and has no default
// expect-error: 24:7: f has 2 inputs, but 3 arguments are given
// expect-error: 27:7: P is partial: it cannot be called
// expect-error: 28:7: there is no function g
// expect-error: 21:7: f: u has size 3, but the value given to it has size 2
// expect-error: 25:7: f: s is Real, but the value given to it is Boolean
// expect-error: 12:8: endless: more than 100 calls inside each other: does the recursion end?
