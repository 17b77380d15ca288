// 20 charges on a sphere move to their equilibrium; constraints on positions and velocities: index 2.
model Fekete
  constant Real pi = 3.141592653589793;
  parameter Integer n = 20, ring[n] = {1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4};
  parameter Integer first[4] = {0, 3, 10, 17}, count[4] = {3, 7, 6, 4};
  parameter Real latitude[4] = {3*pi/8, pi/8, -2*pi/15, -3*pi/10}, turn[4] = {pi/13, pi/29, pi/7, pi/17};
  parameter Real a[n] = {2*pi*(i - first[ring[i]])/count[ring[i]] + turn[ring[i]] for i in 1:n};
  parameter Real b[n] = {latitude[ring[i]] for i in 1:n};
  Real p[n,3](start = {{cos(a[i])*cos(b[i]), sin(a[i])*cos(b[i]), sin(b[i])} for i in 1:n},
              fixed = {{true, true, false} for i in 1:n}) "positions";
  Real q[n,3](each start = 0, fixed = {{true, true, false} for i in 1:n}) "velocities";
  Real lam[n](each start = -4.75), mu[n](each start = 0);
equation
  for i in 1:n loop
    der(p[i,:]) = q[i,:] + 2*mu[i]*p[i,:];
    for k in 1:3 loop
      der(q[i,k]) = sum({if j == i then 0 else (p[i,k] - p[j,k])/((p[i,:] - p[j,:])*(p[i,:] - p[j,:])) for j in 1:n})
        - q[i,k]/2 + 2*lam[i]*p[i,k];
    end for;
    0 = p[i,:]*p[i,:] - 1;
    0 = 2*(p[i,:]*q[i,:]);
  end for;
  annotation(experiment(StopTime = 1000, Tolerance = 1e-6));
end Fekete;
