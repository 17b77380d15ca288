// Every part of Daedal.Electrical once, in circuits with closed forms.
package ElectricalParts
  import Daedal.Electrical.*;
  import Daedal.Blocks;

  model Charging "VoltageSource, Resistor, Capacitor, Ground, Voltmeter, Ammeter"
    VoltageSource source(V = 5);
    Resistor r(R = 1e3);
    Capacitor c(C = 1e-6, v(start = 1, fixed = true));
    Ground ground;
    Voltmeter volt;
    Ammeter ampere;
  equation
    connect(source.p, r.p);
    connect(r.n, ampere.p);
    connect(ampere.n, c.p);
    connect(c.n, source.n);
    connect(source.n, ground.p);
    connect(volt.p, c.p);
    connect(volt.n, ground.p);
    annotation(experiment(StopTime = 1e-3));
  end Charging;

  model SineCoil "SineVoltage, Inductor"
    SineVoltage source(V = 10, f = 50, phase = 0.3, offset = 1);
    Resistor r(R = 4);
    Inductor l(L = 0.01, i(start = 0, fixed = true));
    Ground ground;
  equation
    connect(source.p, r.p);
    connect(r.n, l.p);
    connect(l.n, source.n);
    connect(source.n, ground.p);
    annotation(experiment(StopTime = 0.025));
  end SineCoil;

  model Steps "StepVoltage into one RC, StepCurrent into another"
    StepVoltage u(V = 3, start = 0.5, offset = -1);
    StepCurrent i(I = -2, start = 0.25, offset = 0.5);
    Resistor r1(R = 2), r2(R = 4);
    Capacitor c1(C = 0.25, v(start = 0, fixed = true)), c2(C = 0.125, v(start = 0, fixed = true));
    Ground ground;
  equation
    connect(u.p, r1.p);
    connect(r1.n, c1.p);
    connect(c1.n, ground.p);
    connect(u.n, ground.p);
    connect(i.p, r2.p);
    connect(r2.p, c2.p);
    connect(r2.n, ground.p);
    connect(c2.n, ground.p);
    connect(i.n, ground.p);
  end Steps;

  model Signals "SignalVoltage, SignalCurrent, CurrentSource, SineCurrent, Switch"
    Blocks.Ramp ramp(height = 6, duration = 2);
    Blocks.Step close(start = 0.4);
    SignalVoltage u;
    SignalCurrent i;
    CurrentSource constant_(I = 2);
    SineCurrent sine(I = 3, f = 0.25);
    Switch switch(Ron = 1, Goff = 0);
    Resistor r1(R = 2), r2(R = 5), r3(R = 7), r4(R = 11);
    Ground ground;
  equation
    connect(ramp.y, u.u);
    connect(ramp.y, i.u);
    connect(close.y, switch.closed);
    connect(u.p, switch.p);
    connect(switch.n, r1.p);
    connect(i.n, r2.p);
    connect(constant_.n, r3.p);
    connect(sine.n, r4.p);
    for k in 1:1 loop
      connect(u.n, ground.p);
      connect(r1.n, ground.p);
      connect(r2.n, ground.p);
      connect(r3.n, ground.p);
      connect(r4.n, ground.p);
      connect(i.p, ground.p);
      connect(constant_.p, ground.p);
      connect(sine.p, ground.p);
    end for;
  end Signals;

  model Coils "Transformer: a step of the current's rate in the first coil induces in the second"
    VoltageSource source(V = 6);
    Transformer t(L1 = 2, L2 = 0.5, k = 0.8, i1(start = 0, fixed = true), i2(start = 0, fixed = true));
    Resistor load(R = 1e-12);
    Ground g1, g2;
  equation
    connect(source.p, t.p1);
    connect(t.n1, source.n);
    connect(source.n, g1.p);
    connect(t.p2, load.p);
    connect(t.n2, load.n);
    connect(load.n, g2.p);
  end Coils;

  model Ratio "IdealTransformer: a resistance seen through it is multiplied by the square of the ratio"
    VoltageSource source(V = 12);
    Resistor inside(R = 10), load(R = 2);
    IdealTransformer t(ratio = 3);
    Ground g1, g2;
  equation
    connect(source.p, inside.p);
    connect(inside.n, t.p1);
    connect(t.n1, source.n);
    connect(source.n, g1.p);
    connect(t.p2, load.p);
    connect(load.n, t.n2);
    connect(t.n2, g2.p);
  end Ratio;

  model Amplifier "OpAmp: inverting, gain -R2/R1, and an integrator behind"
    SineVoltage source(V = 0.5, f = 1.8);
    Resistor r1(R = 1e3), r2(R = 5e3), r3(R = 1e4);
    Capacitor c(C = 1e-5, v(start = 0, fixed = true));
    OpAmp a, b;
    Ground ground;
  equation
    connect(source.n, ground.p);
    connect(source.p, r1.p);
    connect(r1.n, a.minus);
    connect(a.minus, r2.p);
    connect(r2.n, a.out);
    connect(a.plus, ground.p);
    connect(a.out, r3.p);
    connect(r3.n, b.minus);
    connect(b.minus, c.p);
    connect(c.n, b.out);
    connect(b.plus, ground.p);
  end Amplifier;

  model Junction "Diode behind a resistor: the current solves R*i + Vt*log(1 + i/Is) = V"
    VoltageSource source(V = 5);
    Resistor r(R = 100);
    Diode d;
    Ground ground;
  equation
    connect(source.p, r.p);
    connect(r.n, d.p);
    connect(d.n, source.n);
    connect(source.n, ground.p);
  end Junction;

  model HalfWave "IdealDiode: conducts in the first half of the period, blocks in the second"
    SineVoltage source(V = 10, f = 1);
    Resistor r(R = 5);
    IdealDiode d(Ron = 0, Goff = 0);
    Ground ground;
    Real charge(start = 0, fixed = true) "that came through";
  equation
    connect(source.p, d.p);
    connect(d.n, r.p);
    connect(r.n, source.n);
    connect(source.n, ground.p);
    der(charge) = r.i;
    annotation(experiment(StopTime = 2.25));
  end HalfWave;

  model Parallel "two capacitors in parallel: index 2, one degree of freedom"
    VoltageSource source(V = 1);
    Resistor r(R = 100);
    Capacitor c1(C = 1e-3, v(start = 0, fixed = true)), c2(C = 3e-3);
    Ground ground;
  equation
    connect(source.p, r.p);
    connect(r.n, c1.p);
    connect(c1.p, c2.p);
    connect(c1.n, ground.p);
    connect(c2.n, ground.p);
    connect(source.n, ground.p);
  end Parallel;
end ElectricalParts;
