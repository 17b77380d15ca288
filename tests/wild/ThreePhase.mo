package ThreePhase
  connector Pin Real v; flow Real i; end Pin;
  connector Plug
    parameter Integer m = 3;
    Pin pin[m];
  end Plug;
  connector Vec
    Real v[3];
    flow Real i[3];
  end Vec;
  model Star
    Plug plug(m = 3);
    Pin neutral;
  equation
    for k in 1:3 loop
      connect(plug.pin[k], neutral);
    end for;
  end Star;
  model Source
    Plug p, n;
    parameter Real A = 10, f = 50;
    parameter Real ph[3] = {0, -2*Modelica.Constants.pi/3, 2*Modelica.Constants.pi/3};
  equation
    p.pin.v - n.pin.v = {A*sin(2*Modelica.Constants.pi*f*time + ph[k]) for k in 1:3};
    p.pin.i + n.pin.i = zeros(3);
  end Source;
  model RL
    Plug p, n;
    parameter Real R = 2, L = 0.01;
    Real i[3](each start = 0, each fixed = true);
  equation
    i = p.pin.i;
    p.pin.i + n.pin.i = zeros(3);
    p.pin.v - n.pin.v = R*i + L*der(i);
  end RL;
  model Ground Pin p; equation p.v = 0; end Ground;
  model System
    Source src; RL load(i(fixed = {true, true, false})); Star s1, s2; Ground g;
  equation
    connect(src.p, load.p);
    connect(src.n, s1.plug);
    connect(load.n, s2.plug);
    connect(s1.neutral, g.p);
    annotation(experiment(StopTime = 0.01));
  end System;
  model VecLoad
    Vec p;
    Real x[3](each start = 1, each fixed = true);
  equation
    der(x) = p.v - x;
    p.i = x;
  end VecLoad;
  model VecSource
    Vec p;
  equation
    p.v = {1, 2, 3} - 0.5*p.i;
  end VecSource;
  model VecSystem
    VecLoad a, b;
    VecSource s;
  equation
    connect(a.p, s.p);
    connect(b.p, s.p);
  end VecSystem;
end ThreePhase;
