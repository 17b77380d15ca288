// Every part of Daedal.Fluid once, with the arrangements of index 1 and 2.
package FluidParts
  import Daedal.Fluid.*;

  model Emptying "Tank, Resistance, Reservoir, FlowSource, FlowMeter, Gauge: an exponential"
    Tank tank(A = 2, h(start = 3, fixed = true));
    FlowSource tap(q = 1e-3);
    FlowMeter meter;
    Resistance pipe(R = 1e7);
    Reservoir outside;
    Gauge gauge;
  equation
    connect(tap.port, tank.port);
    connect(tank.port, meter.a);
    connect(meter.b, pipe.a);
    connect(pipe.b, outside.port);
    connect(gauge.port, tank.port);
    annotation(experiment(StopTime = 1000));
  end Emptying;

  model Torricelli "Orifice: the root of the level falls linearly (qs is far below the flow)"
    Tank tank(A = 0.5, h(start = 2, fixed = true));
    Orifice hole(k = 1e9, qs = 1e-9);
    Reservoir outside;
  equation
    connect(tank.port, hole.a);
    connect(hole.b, outside.port);
    annotation(experiment(StopTime = 100));
  end Torricelli;

  model Joined "two tanks joined without resistance: index 2, one level is a state"
    Tank left(A = 1, h(start = 1, fixed = true)), right(A = 3);
    FlowSource tap(q = 0.02);
  equation
    connect(left.port, right.port);
    connect(tap.port, left.port);
    annotation(experiment(StopTime = 50));
  end Joined;

  model Swing "Pipe with inertia between two tanks, laminar: a damped oscillation of the levels"
    Tank left(A = 0.1, h(start = 1.5, fixed = true)), right(A = 0.1, h(start = 1, fixed = true));
    Pipe pipe(inertia = true, L = 10, D = 0.1, f = 0, mu = 0.1, qs = 1, q(start = 0, fixed = true));
  equation
    connect(left.port, pipe.a);
    connect(pipe.b, right.port);
    annotation(experiment(StopTime = 10));
  end Swing;

  model Uphill "Pipe without inertia, turbulent, rising; Pump: flow and pressures balance (index 1)"
    Reservoir low(p = 2e4), high;
    Pump pump(dpmax = 1e5, qmax = 0.02, speed = 0.9);
    Pipe pipe(L = 50, D = 0.08, rise = 4, f = 0.03, mu = 1e-3, qs = 1e-9);
  equation
    connect(low.port, pump.a);
    connect(pump.b, pipe.a);
    connect(pipe.b, high.port);
  end Uphill;

  model Branches "Junction, Valve, FlowPump, SignalFlow: flows into a common pressure (index 1)"
    Reservoir high(p = 9e4), low;
    Junction junction(n = 4);
    Resistance r1(R = 1e7), r2(R = 2e7);
    Valve valve(kv = 1e-5, dps = 1e-3);
    Daedal.Blocks.Constant opening(k = 0.5), inflow(k = 2e-3);
    SignalFlow signal;
    FlowPump pump(delivery = 1e-3);
  equation
    connect(opening.y, valve.opening);
    connect(inflow.y, signal.u);
    connect(high.port, r1.a);
    connect(r1.b, junction.port[1]);
    connect(junction.port[2], r2.a);
    connect(r2.b, low.port);
    connect(junction.port[3], signal.port);
    connect(junction.port[4], pump.a);
    connect(pump.b, low.port);
    connect(high.port, valve.a);
    connect(valve.b, low.port);
  end Branches;
end FluidParts;
