// A loop of two capacitors, a resistor of a microohm beside: what is small is not zero. Index 2 for every k[1] > 0.
model StiffLoop
 parameter Real k[5]={1e-06,1,1,2,1};
 Real e[3], v[5], i[5];
equation
 v[1] = e[2] - e[1];
 v[1] = k[1]*i[1];
 v[2] = e[3] - e[1];
 v[2] = sin(2*time);
 v[3] = e[1] - e[3];
 k[3]*der(v[3]) = i[3];
 v[4] = e[2] - e[1];
 k[4]*der(v[4]) = i[4];
 v[5] = 0 - e[1];
 k[5]*der(i[5]) = v[5];
 0 = - i[1] - i[2] + i[3] - i[4] - i[5];
 0 = + i[1] + i[4];
 0 = + i[2] - i[3];
end StiffLoop;
// expect: index=2 dof=1 constraint_count=10 hidden_count=2 verdict=ok certificate=converted
