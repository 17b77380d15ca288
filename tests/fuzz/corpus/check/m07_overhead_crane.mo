model OverheadCrane
  parameter Real mt = 10, mw = 5, m = 2, g = 9.81;
  Real s(start = 0), l(start = 4), x(start = 0), z(start = 4), vs, vl, vx, vz, lam(start = 5), F, W;
equation
  der(s) = vs;
  der(l) = vl;
  der(x) = vx;
  der(z) = vz;
  mt*der(vs) = F + lam*(x - s);
  mw*der(vl) = W + lam*l;
  m*der(vx) = -lam*(x - s);
  m*der(vz) = m*g - lam*z;
  (x - s)^2 + z^2 = l^2;
  x = 0.2*sin(time);
  z = 4 - 0.1*sin(2*time);
end OverheadCrane;
