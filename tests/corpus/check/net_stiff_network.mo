// Capacitors, resistors and an inductor from 1e-6 to 1e3: nearly dependent rows are independent.
model StiffNetwork
 parameter Real k[13]={1e-06,0.5,1e-06,1,1,1e-06,1000.0,1,1,1,1,1,1};
 Real e[6], v[13], i[13];
equation
 v[1] = e[2] - e[1];
 k[1]*der(v[1]) = i[1];
 v[2] = e[3] - e[1];
 k[2]*der(v[2]) = i[2];
 v[3] = e[6] - e[4];
 v[3] = k[3]*i[3];
 v[4] = e[2] - e[4];
 k[4]*der(v[4]) = i[4];
 v[5] = e[3] - 0;
 v[5] = k[5]*i[5];
 v[6] = e[1] - e[4];
 k[6]*der(i[6]) = v[6];
 v[7] = e[1] - e[3];
 k[7]*der(v[7]) = i[7];
 v[8] = e[6] - e[1];
 v[8] = sin(8*time);
 v[9] = e[6] - e[2];
 v[9] = k[9]*i[9];
 v[10] = e[1] - e[5];
 v[10] = sin(10*time);
 v[11] = e[2] - e[4];
 k[11]*der(v[11]) = i[11];
 v[12] = 0 - e[4];
 v[12] = k[12]*i[12];
 v[13] = e[4] - e[6];
 v[13] = k[13]*i[13];
 0 = - i[1] - i[2] + i[6] + i[7] - i[8] + i[10];
 0 = + i[1] + i[4] - i[9] + i[11];
 0 = + i[2] + i[5] - i[7];
 0 = - i[3] - i[4] - i[6] - i[11] - i[12] + i[13];
 0 = - i[10];
 0 = + i[3] + i[8] + i[9] - i[13];
end StiffNetwork;
// expect: index=2 dof=4 verdict=ok certificate=converted
