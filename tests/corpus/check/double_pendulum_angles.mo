// Double pendulum in angles: an ODE with a full mass matrix.
model DoublePendulumAngles
  parameter Real m1 = 1, m2 = 2, L1 = 1, L2 = 0.5, g = 9.81;
  Real a(start = 0.5), b(start = 0.2), wa(start = 0) = der(a), wb(start = 0) = der(b);
equation
  lagrange(q = {a, b}, T = 0.5*(m1 + m2)*L1^2*wa^2 + 0.5*m2*L2^2*wb^2 + m2*L1*L2*cos(a - b)*wa*wb,
           V = -(m1 + m2)*g*L1*cos(a) - m2*g*L2*cos(b));
end DoublePendulumAngles;
// expect: index=0 dof=4 constraint_count=0 unknowns=4 kind=ode verdict=ok certificate=structural
// expect-equation: (m1 + m2)*L1^2*der(wa) + m2*L1*L2*cos(a - b)*der(wb) + m2*L1*L2*sin(a - b)*wb^2 + (m1 + m2)*g*L1*sin(a) = 0
// expect-equation: m2*L2^2*der(wb) + m2*L1*L2*cos(a - b)*der(wa) - m2*L1*L2*sin(a - b)*wa^2 + m2*g*L2*sin(b) = 0
