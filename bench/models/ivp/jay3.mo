// Jay's nonlinear problem of index 3; y1 = z1 = exp(2 t), y2 = z2 = exp(-t), u = exp(t).
model Jay
  Real y1(start = 1), y2(start = 1, fixed = true), z1(start = 1), z2(start = 1, fixed = true), u(start = 1);
equation
  der(y1) = 2*y1*y2*z1*z2;
  der(y2) = -y1*y2*z2^2;
  der(z1) = (y1*y2 + z1*z2)*u;
  der(z2) = -y1*y2^2*z2^2*u;
  0 = y1*y2^2 - 1;
  annotation(experiment(StopTime = 1, Tolerance = 1e-6));
end Jay;
