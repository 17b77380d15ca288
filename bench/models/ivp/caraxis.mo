// Car axis on a bumpy road: two stiff springs, the right wheel follows a circle about the left one: index 3.
model CarAxis
  parameter Real k = 5e-4 "M eps^2/2", L = 1, L0 = 0.5, g = 1;
  Real xl(start = 0), yl(start = 0.5, fixed = true), xr(start = 1), yr(start = 0.5, fixed = true);
  Real vxl(start = -0.5), vyl(start = 0, fixed = true), vxr(start = -0.5), vyr(start = 0, fixed = true);
  Real l1(start = 0), l2(start = 0) "multipliers";
  Real yb = 0.1*sin(10*time), xb = sqrt(L^2 - yb^2) "right wheel";
  Real Ll = sqrt(xl^2 + yl^2), Lr = sqrt((xr - xb)^2 + (yr - yb)^2) "lengths of the springs";
equation
  der(xl) = vxl;
  der(yl) = vyl;
  der(xr) = vxr;
  der(yr) = vyr;
  k*der(vxl) = (L0 - Ll)*xl/Ll + l1*xb + 2*l2*(xl - xr);
  k*der(vyl) = (L0 - Ll)*yl/Ll + l1*yb + 2*l2*(yl - yr) - k*g;
  k*der(vxr) = (L0 - Lr)*(xr - xb)/Lr - 2*l2*(xl - xr);
  k*der(vyr) = (L0 - Lr)*(yr - yb)/Lr - 2*l2*(yl - yr) - k*g;
  0 = xl*xb + yl*yb;
  0 = (xl - xr)^2 + (yl - yr)^2 - L^2;
  annotation(experiment(StopTime = 3, Tolerance = 1e-6));
end CarAxis;
