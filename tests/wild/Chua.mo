package Chua "Chaotic circuit with a piecewise linear element"
  model NonlinearResistor
    extends Modelica.Electrical.Analog.Interfaces.OnePort;
    parameter Modelica.Units.SI.Conductance Ga(min=-1), Gb(min=-1);
    parameter Modelica.Units.SI.Voltage Ve;
  equation
    i = if v < -Ve then Gb*(v + Ve) - Ga*Ve
        else if v > Ve then Gb*(v - Ve) + Ga*Ve
        else Ga*v;
  end NonlinearResistor;
  model Circuit
    import Modelica.Electrical.Analog.Basic;
    Basic.Inductor L(L=18, i(start=0, fixed=true));
    Basic.Resistor Ro(R=12.5e-3);
    Basic.Conductor G(G=0.565);
    Basic.Capacitor C1(C=10, v(start=4, fixed=true)), C2(C=100, v(start=0, fixed=true));
    NonlinearResistor Nr(Ga=-0.757576, Gb=-0.409091, Ve=1);
    Basic.Ground Gnd;
  equation
    connect(L.n, Ro.p);
    connect(C2.p, G.p);
    connect(L.p, G.p);
    connect(G.n, Nr.p);
    connect(C1.p, Nr.p);
    connect(Ro.n, Gnd.p);
    connect(C2.n, Gnd.p);
    connect(C1.n, Gnd.p);
    connect(Nr.n, Gnd.p);
    annotation(experiment(StopTime=200));
  end Circuit;
end Chua;
