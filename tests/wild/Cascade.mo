package Cascade "n equal tanks, each runs into the next: arrays of components"
  connector Port
    Real p "level";
    flow Real m "mass flow";
  end Port;
  model Tank
    Port top, bottom;
    parameter Real A = 1;
    Real level(start = 0, fixed = true);
  equation
    A*der(level) = top.m + bottom.m;
    bottom.p = level;
    top.p = level;
  end Tank;
  model OneWay "only the level upstream counts"
    Port a, b;
    parameter Real k = 1;
  equation
    a.m = k*a.p;
    a.m + b.m = 0;
  end OneWay;
  model Inflow
    Port p;
    parameter Real q = 1;
  equation
    p.m = -q;
  end Inflow;
  model Sea
    Port p;
    Real arrived(start = 0, fixed = true);
  equation
    der(arrived) = p.m;
    p.p = 0;
  end Sea;
  model Row
    constant Integer n = 6;
    Tank tank[n](A = fill(2.0, n));
    OneWay hole[n - 1](each k = 0.5);
    Inflow rain(q = 0.3);
    OneWay outlet(k = 0.5);
    Sea sea;
  equation
    connect(rain.p, tank[1].top);
    for i in 1:n - 1 loop
      connect(tank[i].bottom, hole[i].a);
      connect(hole[i].b, tank[i + 1].top);
    end for;
    connect(tank[end].bottom, outlet.a);
    connect(outlet.b, sea.p);
    annotation(experiment(StopTime = 20));
  end Row;
end Cascade;
