// Everything is a function of time.
model TimeOnly
  Real a, b, c;
equation
  a = time^2;
  b = der(a);
  c = der(b) + a;
end TimeOnly;
// c needs a'': its own derivative a third one.
// expect: index=3 dof=0 constraint_count=1 hidden_count=2 unknowns=3 verdict=ok
