// Fekete points: 20 charges on a sphere, constraint on positions alone (index 3). IVP test set.
model Fekete3
  constant Real pi = 3.14159265358979;
  parameter Integer n = 20, first[4] = {0, 3, 10, 16}, count[4] = {3, 7, 6, 4};
  parameter Integer ring[20] = {1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4};
  parameter Real latitude[4] = {3*pi/8, pi/8, -2*pi/15, -3*pi/10}, turn[4] = {pi/13, pi/29, pi/7, pi/17};
  parameter Real a[20] = {2*pi*(i - first[ring[i]])/count[ring[i]] + turn[ring[i]] for i in 1:20};
  Real p[n,3](start = {{cos(a[i])*cos(latitude[ring[i]]), sin(a[i])*cos(latitude[ring[i]]), sin(latitude[ring[i]])}
                       for i in 1:20});
  Real q[n,3](each start = 0), lam[n];
equation
  for i in 1:n loop
    der(p[i,:]) = q[i,:];
    for k in 1:3 loop
      der(q[i,k]) = sum({if j == i then 0 else (p[i,k] - p[j,k])/((p[i,:] - p[j,:])*(p[i,:] - p[j,:])) for j in 1:n})
        - q[i,k]/2 + 2*lam[i]*p[i,k];
    end for;
    p[i,:]*p[i,:] = 1;
  end for;
end Fekete3;
// expect: index=3 dof=80 constraint_count=20 hidden_count=40 unknowns=140 equations=140 verdict=ok certificate=structural
