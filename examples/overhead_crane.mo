// Which forces make the load of a crane follow a given path? Inverse dynamics of index 5: nothing is left to choose.
model OverheadCrane
  parameter Real mt = 10 "trolley", mw = 5 "winch", m = 2 "load", g = 9.81;
  Real s(start = 0) "trolley", l(start = 4) "rope", x(start = 0), z(start = 4) "load, z down";
  Real vs = der(s), vl = der(l), vx = der(x), vz = der(z), lam(start = 5) "rope force per length", F, W "forces of the drives";
equation
  mt*der(vs) = F + lam*(x - s);
  mw*der(vl) = W + lam*l;
  m*der(vx) = -lam*(x - s);
  m*der(vz) = m*g - lam*z;
  (x - s)^2 + z^2 = l^2;
  x = 0.2*sin(time);
  z = 4 - 0.1*sin(2*time);
  annotation(Daedal(draw(rail = ground(height = 0.15), trolley = box({s, 0}, size = {0.5, 0.3}, colour = "steel"),
    rope = line({s, 0}, {x, -z}, radius = 0.02), load = sphere({x, -z}, radius = 0.15, colour = "red"), path = trail({x, -z}))));
end OverheadCrane;
