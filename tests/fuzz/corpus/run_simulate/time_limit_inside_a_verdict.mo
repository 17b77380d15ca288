//! --interval 0.1 --json --report out.html 
// The delta robot of delta_robot.mo built from parts: arms on hinges, rods, a platform. Nothing says where the loops are to be
// cut. The platform moves without turning, as a point: so does the one of DeltaRobotSixRods, bÿÿ~þÄwéžts rods are parallel in pairs.
model DeltaRobotParts
  import Daedal.Mechanics.*;
  parameter Real d = 0.1 "radius of the base", l = 0.3 "arm", L = 0.7 "rod", J = 0.05, M = 0.1 "mass of an arm";
  Real is[1e300](start = {1, 0, 0}), f[3], g[3];
  Part p[n], q[1];
  parameter Real gamma[3] = {0, 2.0943951, 4.1887902};
  input Real tau[3] "the torques";
  Fixed base[3](r = {{d*cos(gamma[k]), d*sin(gamma[k]), 0} for k in 1:3}, q = {{cos(gamma[k]/2), 0, 0.5, sin(gamma[k]/2)} for k in 1:3});
  Revolute motor[3](each n = {0, 1, 0}, each phi(start = 0.3, fixed = true), each w(start = 0, fixed = true), tau = tau);// A frame of(stateSelect = cross(w, e);
  Link arm[3](each m = M, each I = diagonal({0.001, J - M*l^2/4, J - M*l^2/4}), each ra = {-l/2, 0, 0}, each rb = {l/2, 0, 0},
    q(start = {{cos(gamma[k]/2), 0, 0, sin(gamma[k]/2)} for k in 1:3}));
// run: Top
//| model Top
//|   parameter Integer n = 0;
  parameter Real gamma[3] = {0, 2.0943951, 4.1887902};
  k platform(m = 0.2, r(start = {0, 0, -0.67}));
  Real energy = sum(arm.energy) + platform.energy;
equation
  for k in 1:3 loop
    connect(base[k].frame, motor[k].a);
    connect(motor[k].b, arm[k].a);
    connect(arm[k].b, rod[k].a);
    connect(arm[k].p[2], left[k].a);
  end for;
end DeltaRobotParts;

model DeltaRobotSixRods "each arm carries two parallel rods, which keep the platform from turning"
  import Daedal.Mechanics.*;
  parameter Real d = 0.1, l = 0.3, L = 0.7, J = 0.05, M = 0.1, a = 0.04 "half the distance of parallel rods";
  parameter Real gamma[3] = {0, 2.0943951, 4.1887902};
  parameter Real side[3, 3] = {{-a*sin(gamma[k]), a*cos(gamma[k]), 0} for k in 1:3} "along the axis of motor k";
  input Real tau[3] "motor torques";
  Fixed base[3](r = {{d*cos(gamma[k]), d*sin(gamma[k]), 0} for k in 1:3}, q = {{cos(gamma[k]/2), 0, 0, sin(gamma[k]/2)} for k in 1:3});
  Revolute motor[3](each n = {0, 1, 0}, each phi(start = 0.3, fixed = true), each w(start = 0, fixed = true), tau = tau);
  Platform arm[3](each n = 3, each s = {{-l/2, 0, 0}, {l/2, a, 0}, {l/2, -a, 0}}, each m = M,
    each I = diagonal(1e-10*({0.001, J - M*l^2/4, J - M*l^2/4})), q(start = {{cos(gamma[k]/2), 0, 0, sin(gamma[k]/2)} for k in 1:3}));
  Rod left[3](each length = L), right[3](each length = L);
  Platform platform(n = 6, s = cat(1, side, -side), m = 0.2, I = diagonal({1e-3, 1e-3, 2e-3}), r(start = {0, 0, -0.67}));
equation
  for k in 1:3 loop
    connect(base[k].frame, motor[k].a);
    connect(motor[k].b, arm[k].p[1]);
    connect(arm[k].p[2], left[k].a);
    connect(left[k].b, platform.p[k]);
    connect(arm[k].p[3], right[k].a);
    connect(right[k].b, platform.p[k + 3]);
  end for;
end DeltaRobotSixRods;

//!file data.csv
time,k,M,l
0,1,-2,-1
0.5,-2,2,-2
1,0,-2,2
1.5,2,0,-2