// two nonlinear functions of one and the same sum of derivatives: eliminating the sum leaves a third constraint
model SubstitutedSum
  Real x(start = 1), y(start = 1), z(start = 0.5), w;
equation
  log(1 + (der(x) + y*der(z))^2) + w*x = 0.2;
  exp(der(x) + y*der(z)) - z*w = time;
  y = 1 + x^2*0.3;
  w = x + z;
end SubstitutedSum;
// expect: index=1 structural_index=1 dof=1 constraint_count=3 hidden_count=0 unknowns=4 kind=dae verdict=ok certificate=converted initial.missing=1 initial.excess=0
