// Twenty points on the unit sphere that repel each other (Fekete points): 160 equations, index 2.
model Fekete
  parameter Integer N = 20;
  Real p[N, 3](start = {{cos(i)*sqrt(1 - ((2*i - N - 1)/N)^2), sin(i)*sqrt(1 - ((2*i - N - 1)/N)^2), (2*i - N - 1)/N} for i in 1:N});
  Real q[N, 3](each start = 0), lam[N](each start = 0), mu[N](each start = 0);
equation
  for i in 1:N loop
    for k in 1:3 loop
      der(p[i, k]) = q[i, k] + 2*mu[i]*p[i, k];
      der(q[i, k]) = sum({if j == i then 0 else (p[i, k] - p[j, k])/((p[i, 1] - p[j, 1])^2 + (p[i, 2] - p[j, 2])^2
        + (p[i, 3] - p[j, 3])^2) for j in 1:N}) - q[i, k]/2 + 2*lam[i]*p[i, k];
    end for;
    p[i, 1]^2 + p[i, 2]^2 + p[i, 3]^2 = 1;
    2*(p[i, 1]*q[i, 1] + p[i, 2]*q[i, 2] + p[i, 3]*q[i, 3]) = 0;
  end for;
end Fekete;
