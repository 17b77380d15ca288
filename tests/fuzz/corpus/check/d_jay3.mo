model Jay3
  Real y1(start = 1), y2(start = 1), z1(start = 1), z2(start = 1), u(start = 1);
equation
  der(y1) = 2*y1*y2*z1*z2;
  der(y2) = -y1*y2*z2^2;
  der(z1) = (y1*y2 + z1*z2)*u;
  der(z2) = -y1*y2^2*z2^2*u;
  y1*y2^2 = 1;
end Jay3;
