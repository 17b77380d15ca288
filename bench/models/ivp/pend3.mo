// The pendulum in Cartesian coordinates, released from the horizontal: index 3.
model Pendulum
  parameter Real g = 9.81;
  Real x(start = 1), y(start = 0, fixed = true), u(start = 0), v(start = 0, fixed = true), lam(start = 0);
equation
  der(x) = u;
  der(y) = v;
  der(u) = -2*x*lam;
  der(v) = -2*y*lam - g;
  0 = x^2 + y^2 - 1;
  annotation(experiment(StopTime = 10, Tolerance = 1e-6));
end Pendulum;
