// Four-bar linkage of three bodies in space with four revolute joints about parallel axes: 18 coordinates, 20 constraints
// of which only 17 are independent. Bodies: position r, orientation by three angles f (x, y, z in turn, small in x and y).
model FourBarBodies
  parameter Real l[3] = {1, 2, 1.5}, l4 = 2, g = 9.81;
  Real r1[3](start = {0.2, 0.5, 0}), f1[3](start = {0, 0, 1.2}), r2[3](start = {1.3, 1.2, 0}), f2[3](start = {0, 0, 0.3});
  Real r3[3](start = {2, 0.75, 0}), f3[3](start = {0, 0, 1.6}), lam[20];
  Real v1[3] = der(r1), s1[3] = der(f1), v2[3] = der(r2), s2[3] = der(f2), v3[3] = der(r3), s3[3] = der(f3);
equation
  // the long axis of a body is {cos(f[2])*cos(f[3]), cos(f[2])*sin(f[3]), -sin(f[2])}, its joint axis is
  // {sin(f[1])*sin(f[3]) + cos(f[1])*sin(f[2])*cos(f[3]), ..., cos(f[1])*cos(f[2])}
  lagrange(q = cat(1, r1, f1, r2, f2, r3, f3),
    T = 0.5*(v1*v1 + v2*v2 + v3*v3) + 0.05*(s1*s1 + s2*s2 + s3*s3), V = g*(r1[2] + r2[2] + r3[2]),
    c = cat(1,
      r1 - 0.5*l[1]*{cos(f1[2])*cos(f1[3]), cos(f1[2])*sin(f1[3]), -sin(f1[2])},
      {sin(f1[1])*sin(f1[3]) + cos(f1[1])*sin(f1[2])*cos(f1[3]), cos(f1[1])*sin(f1[2])*sin(f1[3]) - sin(f1[1])*cos(f1[3])},
      r1 + 0.5*l[1]*{cos(f1[2])*cos(f1[3]), cos(f1[2])*sin(f1[3]), -sin(f1[2])}
        - r2 + 0.5*l[2]*{cos(f2[2])*cos(f2[3]), cos(f2[2])*sin(f2[3]), -sin(f2[2])},
      {sin(f1[1])*sin(f1[3]) + cos(f1[1])*sin(f1[2])*cos(f1[3]) - sin(f2[1])*sin(f2[3]) - cos(f2[1])*sin(f2[2])*cos(f2[3]),
       cos(f1[1])*sin(f1[2])*sin(f1[3]) - sin(f1[1])*cos(f1[3]) - cos(f2[1])*sin(f2[2])*sin(f2[3]) + sin(f2[1])*cos(f2[3])},
      r2 + 0.5*l[2]*{cos(f2[2])*cos(f2[3]), cos(f2[2])*sin(f2[3]), -sin(f2[2])}
        - r3 - 0.5*l[3]*{cos(f3[2])*cos(f3[3]), cos(f3[2])*sin(f3[3]), -sin(f3[2])},
      {sin(f2[1])*sin(f2[3]) + cos(f2[1])*sin(f2[2])*cos(f2[3]) - sin(f3[1])*sin(f3[3]) - cos(f3[1])*sin(f3[2])*cos(f3[3]),
       cos(f2[1])*sin(f2[2])*sin(f2[3]) - sin(f2[1])*cos(f2[3]) - cos(f3[1])*sin(f3[2])*sin(f3[3]) + sin(f3[1])*cos(f3[3])},
      r3 - 0.5*l[3]*{cos(f3[2])*cos(f3[3]), cos(f3[2])*sin(f3[3]), -sin(f3[2])} - {l4, 0, 0},
      {sin(f3[1])*sin(f3[3]) + cos(f3[1])*sin(f3[2])*cos(f3[3]), cos(f3[1])*sin(f3[2])*sin(f3[3]) - sin(f3[1])*cos(f3[3])}),
    lambda = lam);
end FourBarBodies;
// expect: index=null dof=null verdict=singular unknowns=56 equations=56
// expect-reason: lam
// expect-exit: 1
