// Picofarads beside a source of one ampere: derivatives of 1e10.
model Picofarads
 parameter Real k[4]={22e-12,1,1e-9,1};
 Real e[2], v[4], i[4];
equation
 v[1] = e[2] - 0;
 k[1]*der(v[1]) = i[1];
 v[2] = e[2] - 0;
 i[2] = cos(2*time);
 v[3] = e[2] - e[1];
 k[3]*der(v[3]) = i[3];
 v[4] = e[2] - e[1];
 v[4] = sin(4*time);
 0 = - i[3] - i[4];
 0 = + i[1] + i[2] + i[3] + i[4];
end Picofarads;
// expect: index=2 dof=1 verdict=ok
