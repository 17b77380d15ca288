// Elastic beam of 40 rigid pieces under a force at its free end that stops at t = pi. The reactions w solve a
// tridiagonal system, so the model is of index 1 as written.
model Beam
  constant Real pi = 3.141592653589793;
  parameter Integer n = 40;
  Real th[n](each start = 0, each fixed = true) "angles";
  Real om[n](each start = 0, each fixed = true) = der(th);
  Real F = if time < pi then 1.5*sin(time)^2 else 0;
  Real g[n], w[n];
  Real c[n - 1] = {cos(th[l + 1] - th[l]) for l in 1:n - 1}, s[n - 1] = {sin(th[l + 1] - th[l]) for l in 1:n - 1};
equation
  g[1] = n^4*(-3*th[1] + th[2]) + n^2*F*(cos(th[1]) + sin(th[1]));
  for l in 2:n - 1 loop
    g[l] = n^4*(th[l - 1] - 2*th[l] + th[l + 1]) + n^2*F*(cos(th[l]) + sin(th[l]));
  end for;
  g[n] = n^4*(th[n - 1] - th[n]) + n^2*F*(cos(th[n]) + sin(th[n]));

  w[1] - c[1]*w[2] = s[1]*g[2] + om[1]^2;
  for l in 2:n - 1 loop
    -c[l - 1]*w[l - 1] + 2*w[l] - c[l]*w[l + 1] = -s[l - 1]*g[l - 1] + s[l]*g[l + 1] + om[l]^2;
  end for;
  -c[n - 1]*w[n - 1] + 3*w[n] = -s[n - 1]*g[n - 1] + om[n]^2;

  der(om[1]) = g[1] - c[1]*g[2] + s[1]*w[2];
  for l in 2:n - 1 loop
    der(om[l]) = -c[l - 1]*g[l - 1] + 2*g[l] - c[l]*g[l + 1] - s[l - 1]*w[l - 1] + s[l]*w[l + 1];
  end for;
  der(om[n]) = -c[n - 1]*g[n - 1] + 3*g[n] - s[n - 1]*w[n - 1];
  annotation(experiment(StopTime = 5, Tolerance = 1e-6));
end Beam;
