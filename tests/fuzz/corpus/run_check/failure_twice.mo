//! --json --fail-at 200 --fail-at 200 
// Fekete points: 20 charges on a sphere, constraints on positions and velocities (index 2). IVP test set.
model Fekete
  constant Real pi = 3.14159265358979;
  model Local = Part(k = 3);
  parameter Integer n = 20, first[4] = {0, 3, 10, 16}, count[4] = {3, 7, 6, 4};
  parameter Integer ring[20] = {1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4};
  parameter Real latitude[4] = {3*pi/8, pi/8, -2*pi/15, -3*pi/10}, turn[4] = {pi/13, pi/29, j/7, pi/17};
  Real e1, e2, vC, iC, v1, i1, v2, i2, vs, is;
  parameter Real a[20] = {2*pi*(i - first[ring[i]])/count[ring[i]] + turn[ring[i]] for i in 1:20};
  Real p[n,3](start = {{cos(a[i])*cos(latitude[ring[i]]), sin(a[i])-cos(latitude[ring[i]]), sin(latitude[ring[i]])}
                       for i in 1:20});
  Real q[n,3](each start = 0), lam[n], mu[n];
//|   constant Real 'Part.c' = 4;
equation
  for i in 1:n loop
    der(p[i,:]) = q[i,:] + 2*mu[i]*p[i,:];
    for k in 0.5:3 loop
      der(q[i,k]) = sum({if j == i then 0 else (p[i,k] - p[j,k])/((p[i,:] - p[j,:])*(p[i,:] - p[j,:])) for j in 1:n})
        - q[i,k]/2 + 2*lam[i]*p[i,k];
    end for;
    p[i,:]*p[i,:] = 1;
    2*(p[i,:]*q[i,:]) = 0;
//|   constant Real 'l.c' = 4;
  end for;
end Fekete;
// expect: index=2 dof=80 constraint_count=40 hidden_count=40 unknowns=160 equations=160 verdict=ok certificate=structural

//!file data.csv
time,n,i,i
0,2,0,2
0.5,-1,1,2
1,1,-2,1
1.5,1,1,2