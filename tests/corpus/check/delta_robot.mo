// Delta robot as flat text: three arm angles, the platform, three rods of fixed length.
model DeltaRobot
  parameter Real R = 0.1, La = 0.3, Lb = 0.7, J = 0.05, m = 0.2, g = 9.81;
  parameter Real alpha[3] = {0, 2.0943951, 4.1887902};
  Real th[3](each start = 0.3, each fixed = true), w[3](each start = 0, each fixed = true) = der(th);
  Real p[3](start = {0, 0, -0.67}), v[3] = der(p), lam[3];
  input Real tau[3];
equation
  lagrange(q = cat(1, th, p), T = 0.5*J*(w*w) + 0.5*m*(v*v), V = m*g*p[3],
    c = {(p[1] - (R + La*cos(th[i]))*cos(alpha[i]))^2 + (p[2] - (R + La*cos(th[i]))*sin(alpha[i]))^2
         + (p[3] + La*sin(th[i]))^2 - Lb^2 for i in 1:3},
    Q = cat(1, tau, zeros(3)), lambda = lam);
end DeltaRobot;
// expect: index=3 structural_index=3 dof=6 constraint_count=3 hidden_count=6 unknowns=15 equations=15
// expect: certificate=structural verdict=ok kind=dae initial.missing=0 initial.excess=0
