// Slider crank with a flexible rod: crank and rod angles f, slider x, deformations q; velocities v, accelerations w.
// The crank turns at a prescribed speed. Constraints on velocities, accelerations as unknowns: index 2.
model FlexibleCrank
  constant Real pi = 3.1415927 "as in the published data";
  constant Real m2 = 0.151104, m3 = 0.075552, l1 = 0.15, l2 = 0.3, j1 = 0.002727, j2 = 0.0045339259, om = 150;
  constant Real ee = 0.2e12, bb = 0.008, hh = 0.008, rho = 7870;
  constant Real fm = rho*bb*hh*l2, fk = ee*bb*hh/l2, fb = bb*hh*l2;
  constant Real M[4,4] = fm*[0.5, 0, 0, 0; 0, 0.5, 0, 0; 0, 0, 8, 1; 0, 0, 1, 2];
  constant Real K[4,4] = fk*[pi^4/24*(hh/l2)^2, 0, 0, 0; 0, pi^4*2/3*(hh/l2)^2, 0, 0; 0, 0, 16/3, -8/3; 0, 0, -8/3, 7/3];
  constant Real B[4,4] = fb*[0, 0, -16/pi^3, 8/pi^3 - 1/pi; 0, 0, 0, 0.5/pi; 16/pi^3, 0, 0, 0; 1/pi - 8/pi^3, -0.5/pi, 0, 0];
  constant Real c1[4] = fb*{0, 0, 2/3, 1/6}, c2[4] = fb*{2/pi, 0, 0, 0};
  constant Real c12[4] = l2*fb*{0, 0, 1/3, 1/6}, c21[4] = l2*fb*{1/pi, -0.5/pi, 0, 0};
  Real f[2](start = {0, 0}, each fixed = true), x(start = 0.4500169327969, fixed = true);
  Real q[4](start = {0, 0, 1.03339863e-5, 1.69327969e-5}, each fixed = true);
  Real vf[2](start = {150, -74.99576703969453}), vx(start = -2.68938672e-6);
  Real vq[4](start = {0.444896105, 4.63434311e-3, -1.78591076e-6, -2.68938672e-6}, each fixed = true);
  Real wf[2](start = {0, -1.3445415767203137e-3}), wx(start = -5062.194924724274);
  Real wq[4](start = {-6.82972536313249e-5, 0, -4.268462973437412, 0.2098336688527871});
  Real lam[3](start = {-6.552746561986755e-8, 382.4589509527683, -4.6359378247728e-9});
  Real C = cos(f[1] - f[2]), S = sin(f[1] - f[2]), l = l2 + q[4] "length of the rod";
  Real A12 = 0.5*l1*l2*m2*C + rho*l1*(S*(c2*q) + C*(c1*q)) "inertia that couples crank and rod";
equation
  der(f) = vf;
  der(x) = vx;
  der(q) = vq;
  der(vf) = wf;
  der(vx) = wx;
  der(vq) = wq;
  (j1 + m2*l1^2)*wf[1] + A12*wf[2] + rho*l1*(-S*(c1*wq) + C*(c2*wq))
    = -0.5*l1*l2*m2*vf[2]^2*S + rho*l1*vf[2]^2*(-S*(c1*q) + C*(c2*q)) - 2*rho*l1*vf[2]*(C*(c1*vq) + S*(c2*vq))
    - l1*cos(f[1])*lam[1] - l1*sin(f[1])*lam[2] - lam[3];
  A12*wf[1] + (j2 + q*(M*q) + 2*rho*(c12*q))*wf[2] + rho*(c21*wq) + rho*(q*(B*wq))
    = 0.5*l1*l2*m2*vf[1]^2*S + rho*l1*vf[1]^2*(S*(c1*q) - C*(c2*q)) - 2*rho*vf[2]*(c12*vq) - 2*vf[2]*(vq*(M*q))
    - rho*(vq*(B*vq)) - l*cos(f[2])*lam[1] - l*sin(f[2])*lam[2];
  m3*wx = -lam[2];
  rho*l1*(-S*c1 + C*c2)*wf[1] + rho*(c21 + q*B)*wf[2] + M*wq
    = vf[2]^2*(M*q) + rho*(vf[2]^2*c12 + l1*vf[1]^2*(C*c1 + S*c2) + 2*vf[2]*(B*vq)) - K*q
    - {0, 0, 0, 1}*(sin(f[2])*lam[1] - cos(f[2])*lam[2]);
  l1*cos(f[1])*vf[1] + l*cos(f[2])*vf[2] + sin(f[2])*vq[4] = 0;
  l1*sin(f[1])*vf[1] + l*sin(f[2])*vf[2] + vx - cos(f[2])*vq[4] = 0;
  vf[1] = om;
  annotation(experiment(StopTime = 0.1, Tolerance = 1e-6));
end FlexibleCrank;
