package Circuit
  connector Pin Real v; flow Real i; end Pin;
  partial model TwoPin Pin p, n; Real v = p.v - n.v, i = p.i; equation p.i + n.i = 0; end TwoPin;
  model Resistor extends TwoPin; parameter Real R = 1; equation v = R*i; end Resistor;
  model Capacitor extends TwoPin; parameter Real C = 1e-3; equation C*der(v) = i; end Capacitor;
  model Ground Pin p; equation p.v = 0; end Ground;
  model Two
    Resistor r[2](each R = 10) if true; Capacitor c(v(start = 1, fixed = true)); Ground gnd;
  equation
    for k in 1:2 loop connect(c.p, r[k].p); connect(r[k].n, c.n); end for; connect(c.n, gnd.p);
  end Two;
end Circuit;
