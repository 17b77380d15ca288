// The pendulum with both constraints and a second multiplier (Gear, Gupta, Leimkuhler): index 2.
model PendulumGgl
  parameter Real g = 9.81;
  Real x(start = 1), y(start = 0, fixed = true), u(start = 0), v(start = 0, fixed = true);
  Real lam(start = 0), mu(start = 0);
equation
  der(x) = u - 2*x*mu;
  der(y) = v - 2*y*mu;
  der(u) = -2*x*lam;
  der(v) = -2*y*lam - g;
  0 = x^2 + y^2 - 1;
  0 = x*u + y*v;
  annotation(experiment(StopTime = 10, Tolerance = 1e-6));
end PendulumGgl;
