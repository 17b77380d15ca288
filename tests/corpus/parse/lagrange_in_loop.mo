model Oscillators
  parameter Integer n = 3;
  parameter Real k[n] = {1, 2, 3};
  Real x[n], v[n] = der(x);
equation
  for i in 1:n loop
    lagrange(q = {x[i]}, T = 0.5*v[i]^2, V = 0.5*k[i]*x[i]^2);
  end for;
end Oscillators;
// expect-count: rows=6 groups=4
// expect-row: v = der(x)
// expect-row: der(der(x[1])) + k[1]*x[1]
// expect-row: der(der(x[2])) + k[2]*x[2]
// expect-row: der(der(x[3])) + k[3]*x[3]
