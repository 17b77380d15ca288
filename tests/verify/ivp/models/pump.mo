model Pump
  constant Real vt0 = 0.2, gamma = 0.035, phi = 1.01, cox = 4e-12, drain = 0.4e-12, source = 1.6e-12, high = 20;
  parameter Real vfb = vt0 - gamma*sqrt(phi) - phi "flat band";
  Real qg(nominal = 1e-12), q1(nominal = 1e-12, start = 0, fixed = true), qs(nominal = 1e-12);
  Real q2(nominal = 1e-12, start = 0, fixed = true), qd(nominal = 1e-12), u, u1, u2, i(nominal = 1e-4);
  Real tau = mod(time, 120e-9);
  Real pulse = if tau < 50e-9 then 0 elseif tau < 60e-9 then (tau - 50e-9)*1e8*high elseif tau < 110e-9 then high else (120e-9 - tau)*1e8*high;
  Real vgs = u - u1, vgd = u - u2, more = if vgs <= vgd then vgd else vgs, less = if vgs <= vgd then vgs else vgd, ubs = more - u;
  Real vte = vt0 + gamma*(sqrt(phi - ubs) - sqrt(phi));
  Real a = more - vte, b = if less > vte then less - vte else 0;
  Real channel = if more > vte then a + b - a*b/(a + b) else 0;
equation
  der(qg) = -i;
  der(q1) + der(qs) = 0;
  der(q2) + der(qd) = 0;
  u = pulse;
  qg = if u <= vfb then cox*(u - vfb) elseif more <= vte then cox*gamma*(sqrt((gamma/2)^2 + u - vfb) - gamma/2)
       else cox*(2/3*channel + gamma*sqrt(phi - ubs));
  q1 = source*u1;
  qs = if u <= vfb then 0 else -cox/3*channel;
  q2 = drain*u2;
  qd = if u <= vfb then 0 else -cox/3*channel;
  annotation(experiment(StopTime = 1.2e-6));
end Pump;
