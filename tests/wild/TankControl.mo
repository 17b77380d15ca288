package TankControl "Tanks in a row with PI level control: connectors for signals and for liquid, no standard library"
  connector Measured = output Real(unit = "m") "a level";
  connector ToMeasure = input Real(unit = "m") "a level";
  connector CommandOut "what the controller asks for"
    output Real act;
  end CommandOut;
  connector CommandIn
    input Real act;
  end CommandIn;
  connector LiquidOut "flow as a signal, from one tank to the next"
    output Real lflow(unit = "m3/s");
  end LiquidOut;
  connector LiquidIn
    input Real lflow(unit = "m3/s");
  end LiquidIn;

  function clamp "x within [lo, hi]"
    input Real lo;
    input Real hi;
    input Real x;
    output Real y;
  algorithm
    y := if x > hi then hi else if x < lo then lo else x;
  end clamp;

  model Source
    LiquidOut out;
    parameter Real base = 0.02;
  equation
    out.lflow = if time > 100 then 2*base else base;
  end Source;

  model Tank
    Measured sensor;
    CommandIn valve;
    LiquidIn qin;
    LiquidOut qout;
    parameter Real area(unit = "m2") = 0.5;
    parameter Real gain(unit = "m2/s") = 0.05;
    parameter Real qmin = 0, qmax = 10;
    Real h(start = 0.0, fixed = true, unit = "m") "level";
  equation
    assert(qmin >= 0, "the valve lets nothing back");
    der(h) = (qin.lflow - qout.lflow)/area;
    qout.lflow = clamp(qmin, qmax, -gain*valve.act);
    sensor = h;
  end Tank;

  partial model Controller
    parameter Real Ts = 10 "time constant", K = 2 "gain";
    ToMeasure measured;
    CommandOut out;
    parameter Real ref "reference level";
    Real error, u;
  equation
    error = ref - measured;
    out.act = u;
  end Controller;

  model PI
    extends Controller(K = 2, Ts = 10);
    Real x(start = 0, fixed = true) "integral";
  equation
    der(x) = error/Ts;
    u = K*(x + error);
  end PI;

  model OneTank
    Source source;
    Tank tank(area = 1);
    PI pi(ref = 0.25);
  equation
    connect(source.out, tank.qin);
    connect(tank.valve, pi.out);
    connect(tank.sensor, pi.measured);
    annotation(experiment(StopTime = 250));
  end OneTank;

  model TwoTanks
    Source source;
    Tank tank1(area = 1), tank2(area = 1.3);
    PI pi1(ref = 0.25), pi2(ref = 0.4);
  equation
    connect(source.out, tank1.qin);
    connect(tank1.qout, tank2.qin);
    connect(tank1.valve, pi1.out);
    connect(tank1.sensor, pi1.measured);
    connect(tank2.valve, pi2.out);
    connect(tank2.sensor, pi2.measured);
    annotation(experiment(StopTime = 250));
  end TwoTanks;
end TankControl;
