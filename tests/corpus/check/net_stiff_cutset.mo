// A cutset of inductors with values in SI units.
model StiffCutset
 parameter Real k[5]={1e-6,1e-3,1e-6,22e-12,22e-12};
 Real e[4], v[5], i[5];
equation
 v[1] = e[1] - 0;
 k[1]*der(v[1]) = i[1];
 v[2] = e[2] - e[1];
 k[2]*der(i[2]) = v[2];
 v[3] = e[3] - e[1];
 k[3]*der(i[3]) = v[3];
 v[4] = e[4] - e[2];
 k[4]*der(v[4]) = i[4];
 v[5] = e[2] - e[4];
 k[5]*der(v[5]) = i[5];
 0 = + i[1] - i[2] - i[3];
 0 = + i[2] - i[4] + i[5];
 0 = + i[3];
 0 = + i[4] - i[5];
end StiffCutset;
// expect: index=2 dof=2 verdict=ok
