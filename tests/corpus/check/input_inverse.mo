// Inverse of a filter: the input that makes the output follow r needs r, r' and r''.
model InputInverse
  input Real r;
  parameter Real T1 = 0.5, T2 = 2;
  Real y, x, u;
equation
  T1*der(x) + x = u;
  T2*der(y) + y = x;
  y = r;
end InputInverse;
// expect: index=3 dof=0 constraint_count=1 hidden_count=2 unknowns=3 verdict=ok
// expect-equivalent: (x - y)/T2 = der(r)
// expect-warning: der(r)
// expect-warning: der(der(r))
