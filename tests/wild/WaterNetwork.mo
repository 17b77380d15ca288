package WaterNetwork "Three reservoirs and one junction: turbulent pipes, nothing is stored"
  type Head = Real(quantity = "Length", unit = "m");
  type Discharge = Real(quantity = "VolumeFlowRate", unit = "m3/s");
  connector Node
    Head h;
    flow Discharge q;
  end Node;
  function sqr "signed square"
    input Real x;
    output Real y = x*abs(x);
  algorithm
  end sqr;
  model Pipe
    Node a, b;
    parameter Real k = 100 "head lost per square of the discharge";
    Discharge q(start = 0.1);
  equation
    q = a.q;
    a.q + b.q = 0;
    a.h - b.h = k*sqr(q);
  end Pipe;
  model Reservoir
    parameter Head level;
    Node n;
  equation
    n.h = level;
  end Reservoir;
  model Three
    Reservoir up(level = 120), mid(level = 100), low(level = 60);
    Pipe p1(k = 250), p2(k = 400, q(start = -0.05)), p3(k = 150);
    Head junction = p3.a.h;
  equation
    connect(up.n, p1.a);
    connect(mid.n, p2.a);
    connect(p1.b, p3.a);
    connect(p2.b, p3.a);
    connect(p3.b, low.n);
  end Three;
end WaterNetwork;
