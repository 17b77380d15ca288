// Flexible slider crank of the IVP test set: velocity constraints and accelerations as unknowns, index 2.
model FlexibleCrank
  constant Real pi = 3.1415927;
  parameter Real m2 = 0.151104, m3 = 0.075552, l1 = 0.15, l2 = 0.3, j1 = 0.002727, j2 = 0.0045339259, om = 150;
  parameter Real ee = 0.2e12, bb = 0.008, hh = 0.008, rho = 7870;
  parameter Real fm = rho*bb*hh*l2, fk = ee*bb*hh/l2, fb = bb*hh*l2;
  parameter Real M[4,4] = fm*[0.5, 0, 0, 0; 0, 0.5, 0, 0; 0, 0, 8, 1; 0, 0, 1, 2];
  parameter Real K[4,4] = fk*[pi^4/24*(hh/l2)^2, 0, 0, 0; 0, pi^4*2/3*(hh/l2)^2, 0, 0; 0, 0, 16/3, -8/3; 0, 0, -8/3, 7/3];
  parameter Real B[4,4] = fb*[0, 0, -16/pi^3, 8/pi^3 - 1/pi; 0, 0, 0, 0.5/pi; 16/pi^3, 0, 0, 0; 1/pi - 8/pi^3, -0.5/pi, 0, 0];
  parameter Real c1[4] = fb*{0, 0, 2/3, 1/6}, c2[4] = fb*{2/pi, 0, 0, 0};
  parameter Real c12[4] = l2*fb*{0, 0, 1/3, 1/6}, c21[4] = l2*fb*{1/pi, -0.5/pi, 0, 0};
  Real f[2](start = {0, 0}), x(start = 0.450016933), q[4](start = {0, 0, 0.103339863e-4, 0.169327969e-4});
  Real vf[2](start = {150, -74.9957670}), vx(start = -0.268938672e-5);
  Real vq[4](start = {0.444896105, 0.463434311e-2, -0.178591076e-5, -0.268938672e-5});
  Real wf[2](start = {0, -0.134454e4}), wx(start = -5062), wq[4], lam[3];
equation
  der(f) = vf;
  der(x) = vx;
  der(q) = vq;
  der(vf) = wf;
  der(vx) = wx;
  der(vq) = wq;
  (j1 + m2*l1^2)*wf[1] + (0.5*l1*l2*m2*cos(f[1] - f[2]) + rho*l1*(sin(f[1] - f[2])*(c2*q) + cos(f[1] - f[2])*(c1*q)))*wf[2]
    + rho*l1*(-sin(f[1] - f[2])*(c1*wq) + cos(f[1] - f[2])*(c2*wq))
    = -0.5*l1*l2*m2*vf[2]^2*sin(f[1] - f[2]) + rho*l1*vf[2]^2*(-sin(f[1] - f[2])*(c1*q) + cos(f[1] - f[2])*(c2*q))
    - 2*rho*l1*vf[2]*(cos(f[1] - f[2])*(c1*vq) + sin(f[1] - f[2])*(c2*vq))
    - l1*cos(f[1])*lam[1] - l1*sin(f[1])*lam[2] - lam[3];
  (0.5*l1*l2*m2*cos(f[1] - f[2]) + rho*l1*(sin(f[1] - f[2])*(c2*q) + cos(f[1] - f[2])*(c1*q)))*wf[1]
    + (j2 + q*(M*q) + 2*rho*(c12*q))*wf[2] + rho*(c21*wq) + rho*(q*(B*wq))
    = 0.5*l1*l2*m2*vf[1]^2*sin(f[1] - f[2]) + rho*l1*vf[1]^2*(sin(f[1] - f[2])*(c1*q) - cos(f[1] - f[2])*(c2*q))
    - 2*rho*vf[2]*(c12*vq) - 2*vf[2]*(vq*(M*q)) - rho*(vq*(B*vq))
    - (l2 + q[4])*cos(f[2])*lam[1] - (l2 + q[4])*sin(f[2])*lam[2];
  m3*wx = -lam[2];
  rho*l1*(-sin(f[1] - f[2])*c1 + cos(f[1] - f[2])*c2)*wf[1] + rho*(c21 + q*B)*wf[2] + M*wq
    = vf[2]^2*(M*q) + rho*(vf[2]^2*c12 + l1*vf[1]^2*(cos(f[1] - f[2])*c1 + sin(f[1] - f[2])*c2) + 2*vf[2]*(B*vq)) - K*q
    - {0, 0, 0, 1}*(sin(f[2])*lam[1] - cos(f[2])*lam[2]);
  l1*cos(f[1])*vf[1] + (l2 + q[4])*cos(f[2])*vf[2] + sin(f[2])*vq[4] = 0;
  l1*sin(f[1])*vf[1] + (l2 + q[4])*sin(f[2])*vf[2] + vx - cos(f[2])*vq[4] = 0;
  vf[1] = om;
end FlexibleCrank;
// expect: index=2 dof=11 constraint_count=10 hidden_count=3 unknowns=24 equations=24 verdict=ok certificate=structural kind=dae
