// A bridge of four ideal diodes charges a capacitor from an alternating voltage. Each diode that begins or ends to conduct is an
// event: the equations change there, and the time of the change is found. Index 1, 1 degree of freedom.
model Rectifier
  import Daedal.Electrical.*;
  parameter Real V = 20 "amplitude", f = 50 "frequency";
  SineVoltage source(V = V, f = f);
  Resistor inside(R = 0.5) "of the source", load(R = 50);
  IdealDiode d1, d2, d3, d4;
  Capacitor c(C = 1e-3, v(start = 0, fixed = true));
  Ground ground;
equation
  connect(source.n, ground.p);
  connect(source.p, inside.p);
  connect(inside.n, d1.p);
  connect(ground.p, d2.p);
  connect(d1.n, c.p);
  connect(d2.n, c.p);
  connect(d3.n, inside.n);
  connect(d4.n, ground.p);
  connect(c.n, d3.p);
  connect(c.n, d4.p);
  connect(c.p, load.p);
  connect(c.n, load.n);
  annotation(experiment(StopTime = 0.1));
end Rectifier;
