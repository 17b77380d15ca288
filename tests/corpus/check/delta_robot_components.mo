// A delta robot from components: 27 unknowns with the bound ones, 15 visible constraints, 6 hidden.
model Arm
  parameter Real alpha, R = 0.1, La = 0.3, J = 0.05;
  Real th(start = 0.3, fixed = true), w(start = 0, fixed = true) = der(th), T = 0.5*J*w^2;
  Real elbow[3] = {(R + La*cos(th))*cos(alpha), (R + La*cos(th))*sin(alpha), -La*sin(th)};
end Arm;
model DeltaRobot
  parameter Real Lb = 0.7, m = 0.2, g = 9.81;
  Arm arm[3](alpha = {0, 2.0943951, 4.1887902});
  Real p[3](start = {0, 0, -0.67}), v[3] = der(p), lam[3];
  input Real tau[3];
equation
  lagrange(q = cat(1, arm.th, p), T = sum(arm.T) + 0.5*m*(v*v), V = m*g*p[3],
    c = {(p - arm[i].elbow)*(p - arm[i].elbow) - Lb^2 for i in 1:3},
    Q = cat(1, tau, zeros(3)), lambda = lam);
end DeltaRobot;
// expect: index=3 dof=6 unknowns=27 constraint_count=15 hidden_count=6 verdict=ok initial.missing=0
// run: --set arm[2].J=0.1
// expect: index=3 dof=6
