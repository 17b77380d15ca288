// Car axis of the IVP test set: index 3, 10 unknowns.
model CarAxis
  parameter Real k = 5e-4, L = 1, L0 = 0.5, g = 1;
  Real xl(start = 0), yl(start = 0.5), xr(start = 1), yr(start = 0.5);
  Real vxl(start = -0.5) = der(xl), vyl(start = 0) = der(yl), vxr(start = -0.5) = der(xr), vyr(start = 0) = der(yr);
  Real l1, l2;
equation
  k*der(vxl) = (L0 - sqrt(xl^2 + yl^2))*xl/sqrt(xl^2 + yl^2) + l1*sqrt(1 - (0.1*sin(10*time))^2) + 2*l2*(xl - xr);
  k*der(vyl) = (L0 - sqrt(xl^2 + yl^2))*yl/sqrt(xl^2 + yl^2) + l1*0.1*sin(10*time) + 2*l2*(yl - yr) - k*g;
  k*der(vxr) = (L0 - sqrt((xr - sqrt(1 - (0.1*sin(10*time))^2))^2 + (yr - 0.1*sin(10*time))^2))
    *(xr - sqrt(1 - (0.1*sin(10*time))^2))
    /sqrt((xr - sqrt(1 - (0.1*sin(10*time))^2))^2 + (yr - 0.1*sin(10*time))^2) - 2*l2*(xl - xr);
  k*der(vyr) = (L0 - sqrt((xr - sqrt(1 - (0.1*sin(10*time))^2))^2 + (yr - 0.1*sin(10*time))^2))
    *(yr - 0.1*sin(10*time))
    /sqrt((xr - sqrt(1 - (0.1*sin(10*time))^2))^2 + (yr - 0.1*sin(10*time))^2) - 2*l2*(yl - yr) - k*g;
  xl*sqrt(1 - (0.1*sin(10*time))^2) + yl*0.1*sin(10*time) = 0;
  (xl - xr)^2 + (yl - yr)^2 = L^2;
end CarAxis;
// expect: index=3 dof=4 constraint_count=2 hidden_count=4 unknowns=10 equations=10 verdict=ok certificate=structural kind=dae
