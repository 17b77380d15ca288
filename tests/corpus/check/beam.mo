// Elastic beam with 40 angles; w solves a tridiagonal system, so the model is a DAE of index 1.
model Beam
  parameter Integer n = 40;
  Real th[n](each start = 0), om[n](each start = 0) = der(th), w[n];
  Real g[n], F = if time <= 3.14159265358979 then 1.5*sin(time)^2 else 0;
equation
  for l in 1:n loop
    g[l] = n^4*((if l == 1 then -th[1] else th[l - 1]) - 2*th[l] + (if l == n then th[n] else th[l + 1]))
      + n^2*F*(cos(th[l]) + sin(th[l]));
    (if l == 1 then 1 elseif l == n then 3 else 2)*w[l]
      - (if l > 1 then cos(th[l] - th[l - 1])*w[l - 1] else 0) - (if l < n then cos(th[l + 1] - th[l])*w[l + 1] else 0)
      = (if l > 1 then -sin(th[l] - th[l - 1])*g[l - 1] else 0) + (if l < n then sin(th[l + 1] - th[l])*g[l + 1] else 0) + om[l]^2;
    der(om[l]) = (if l == 1 then 1 elseif l == n then 3 else 2)*g[l]
      - (if l > 1 then cos(th[l] - th[l - 1])*g[l - 1] else 0) - (if l < n then cos(th[l + 1] - th[l])*g[l + 1] else 0)
      + (if l > 1 then -sin(th[l] - th[l - 1])*w[l - 1] else 0) + (if l < n then sin(th[l + 1] - th[l])*w[l + 1] else 0);
  end for;
end Beam;
// expect: index=1 dof=80 constraint_count=81 hidden_count=0 unknowns=161 equations=161 verdict=ok certificate=structural kind=dae
