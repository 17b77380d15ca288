// A ladder of N coils and capacitors from parts of Daedal.Electrical: a line that delays a signal, closed with its wave
// resistance sqrt(L/C). The pulse arrives after N*sqrt(L*C). Index 1, 2*N degrees of freedom, and one for the energy.
model RlcLadder
  import Daedal.Electrical.*;
  parameter Integer N = 8 "sections";
  parameter Real L = 1e-3, C = 1e-7, r = 1 "of one section";
  SignalVoltage source;
  Daedal.Blocks.Pulse pulse(height = 10, width = 0.5, period = 2e-4);
  Resistor inside(R = sqrt(L/C)), load(R = sqrt(L/C));
  Resistor loss[N](each R = r);
  Inductor coil[N](each L = L, each i(start = 0, fixed = true));
  Capacitor cap[N](each C = C, each v(start = 0, fixed = true));
  Ground ground;
  Real fed(start = 0, fixed = true) "energy from the source";
  Real lost(start = 0, fixed = true) "energy in all resistors";
  Real stored = sum(0.5*L*coil.i.^2) + sum(0.5*C*cap.v.^2);
  Real balance = fed - lost - stored "stays zero";
equation
  connect(pulse.y, source.u);
  connect(source.n, ground.p);
  connect(source.p, inside.p);
  connect(inside.n, loss[1].p);
  for k in 1:N loop
    connect(loss[k].n, coil[k].p);
    connect(coil[k].n, cap[k].p);
    connect(cap[k].n, ground.p);
    if k < N then
      connect(coil[k].n, loss[k + 1].p);
    end if;
  end for;
  connect(coil[N].n, load.p);
  connect(load.n, ground.p);
  der(fed) = -source.v*source.i;
  der(lost) = inside.v*inside.i + load.v*load.i + sum(loss[k].v*loss[k].i for k in 1:N);
  annotation(experiment(StopTime = 1.8e-4));
end RlcLadder;
