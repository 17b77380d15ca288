// Hessenberg index 2 with N velocities and M pressures.
model StokesLarge
  parameter Integer N = 12, M = 4;
  Real u[N], p[M];
equation
  for i in 1:N loop
    der(u[i]) = -2*u[i] + (if i > 1 then u[i - 1] else 0) + (if i < N then u[i + 1] else 0)
      + sum({(if mod(i + j, 3) == 0 then 1 else if i == j then 2 else 0)*p[j] for j in 1:M}) + sin(i*time);
  end for;
  for j in 1:M loop
    sum({(if mod(i + j, 3) == 0 then 1 else if i == j then 2 else 0)*u[i] for i in 1:N}) = 0;
  end for;
end StokesLarge;
// The 12x4 matrix G has full column rank (its first four rows are [2,1,0,0; 1,2,0,1; 0,0,1,0; 0,1,0,2], determinant 4), so
// G^T G is regular.
// expect: index=2 dof=8 constraint_count=4 hidden_count=4 unknowns=16 verdict=ok certificate=structural
