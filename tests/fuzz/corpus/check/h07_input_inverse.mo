model InputInverse
  input Real r;
  parameter Real T1 = 0.5, T2 = 2;
  Real y, x, u;
equation
  T1*der(x) + x = u;
  T2*der(y) + y = x;
  y = r;
end InputInverse;
