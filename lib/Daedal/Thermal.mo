within Daedal;
package Thermal "Heat stored, conducted and exchanged"
  connector Port "Where heat enters"
    Real T(unit = "K") "temperature";
    flow Real Q(unit = "W") "heat flow into the part";
  end Port;

  partial model Path "Heat flows from a to b and is not stored"
    Port a, b;
    Real dT(unit = "K") = a.T - b.T "difference that drives it";
    Real Q(unit = "W") = a.Q "from a to b";
  equation
    a.Q + b.Q = 0;
  end Path;

  model Capacity "C*der(T) = heat flow"
    Port port;
    parameter Real C(unit = "J/K") = 1 "heat capacity";
    Real T(unit = "K", start = 293.15) = port.T "temperature";
  equation
    C*der(T) = port.Q;
  end Capacity;

  model Conductor "Q = G*dT"
    extends Path;
    parameter Real G(unit = "W/K") = 1 "conductance";
  equation
    Q = G*dT;
  end Conductor;

  model Convection "Q = h*A*dT between a surface (a) and a fluid (b)"
    extends Path;
    parameter Real h(unit = "W/(m2.K)") = 10 "coefficient of heat transfer";
    parameter Real A(unit = "m2") = 1 "area";
  equation
    Q = h*A*dT;
  end Convection;

  model Radiation "Q = eps*A*sigma*(a.T^4 - b.T^4)"
    extends Path;
    parameter Real A(unit = "m2") = 1 "area";
    parameter Real eps = 1 "emissivity";
    constant Real sigma(unit = "W/(m2.K4)") = 5.670374419e-8 "constant of Stefan and Boltzmann";
  equation
    Q = eps*A*sigma*(a.T^4 - b.T^4);
  end Radiation;

  model HeatSource "The heat flow Q into what is connected"
    Port port;
    parameter Real Q(unit = "W") = 1;
  equation
    port.Q = -Q;
  end HeatSource;

  model SignalHeatSource "The heat flow u into what is connected"
    Port port;
    Blocks.Input u "heat flow";
  equation
    port.Q = -u;
  end SignalHeatSource;

  model FixedTemperature "port.T = T"
    Port port;
    parameter Real T(unit = "K") = 293.15;
  equation
    port.T = T;
  end FixedTemperature;

  model SignalTemperature "port.T = u"
    Port port;
    Blocks.Input u "temperature";
  equation
    port.T = u;
  end SignalTemperature;

  model Thermometer "y = port.T, without heat flow"
    Port port;
    Blocks.Output y "temperature";
  equation
    port.Q = 0;
    y = port.T;
  end Thermometer;

  model HeatMeter "y = heat flow from a to b, without difference of temperature"
    extends Path;
    Blocks.Output y "heat flow";
  equation
    dT = 0;
    y = Q;
  end HeatMeter;
end Thermal;
