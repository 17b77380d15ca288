// An inductor and a current source are all that leads to ground: a cut that prescribes the current of L1. Index 2, and
// of the three stored quantities two are free, whether the values are 1 or as in a drawer of parts.
model InductorCut
  parameter Real L1 = 1e-3, L2 = 1e-6, C = 1e-9, R1 = 4700, R2 = 4700;
  Real e[3], v[6], i[6];
equation
  v[1] = e[1];
  L1*der(i[1]) = v[1];
  v[2] = e[2] - e[1];
  v[2] = R1*i[2];
  v[3] = e[3] - e[1];
  C*der(v[3]) = i[3];
  v[4] = e[2];
  i[4] = cos(4*time);
  v[5] = e[1] - e[2];
  v[5] = R2*i[5];
  v[6] = e[2] - e[3];
  L2*der(i[6]) = v[6];
  0 = i[1] - i[2] - i[3] + i[5];
  0 = i[2] + i[4] - i[5] + i[6];
  0 = i[3] - i[6];
end InductorCut;
// expect: index=2 dof=2 verdict=ok
// run: --set L1=1 --set L2=1 --set C=1 --set R1=1 --set R2=1
// expect: index=2 dof=2 verdict=ok
