// A circuit from parts: parallel capacitors, index 2, one degree of freedom.
package Circuit
  connector Pin Real v; flow Real i; end Pin;
  partial model TwoPin Pin p, n; Real v = p.v - n.v, i = p.i; equation p.i + n.i = 0; end TwoPin;
  model Resistor extends TwoPin; parameter Real R = 1; equation v = R*i; end Resistor;
  model Capacitor extends TwoPin; parameter Real C = 1e-3; equation C*der(v) = i; end Capacitor;
  model Source extends TwoPin; parameter Real A = 1, f = 1; equation v = A*sin(6.2831853*f*time); end Source;
  model Ground Pin p; equation p.v = 0; end Ground;
  model TwoCapacitors
    Source src; Resistor r(R = 10); Capacitor c1(v(start = 0, fixed = true)), c2(C = 2e-3); Ground gnd;
  equation
    connect(src.p, r.p); connect(r.n, c1.p); connect(c1.p, c2.p);
    connect(c1.n, src.n); connect(c2.n, src.n); connect(src.n, gnd.p);
  end TwoCapacitors;
end Circuit;
// expect: index=2 dof=1 verdict=ok initial.missing=0 model=TwoCapacitors
// expect-in-algebraic: src.p.i
