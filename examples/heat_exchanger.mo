// Two channels in counterflow on either side of a wall. Each channel is a row of N stirred cells with a thermal port each;
// the wall is an array of conductors of Daedal.Thermal. For many cells the outlet goes to the known effectiveness.
package HeatExchanger
  connector Inlet "a stream that is taken"
    input Real m(unit = "kg/s");
    input Real T(unit = "K");
  end Inlet;

  connector Outlet "a stream that is given"
    output Real m(unit = "kg/s");
    output Real T(unit = "K");
  end Outlet;

  model Supply "a stream of constant flow and temperature"
    parameter Real m(unit = "kg/s"), T(unit = "K");
    Outlet out(m = m, T = T);
  end Supply;

  model Channel "N stirred cells in a row"
    parameter Integer N = 10;
    parameter Real M(unit = "kg") = 5 "contents", cp(unit = "J/(kg.K)") = 4180;
    Inlet inlet;
    Outlet outlet;
    Daedal.Thermal.Port port[N] "to the wall";
    Real T[N](each unit = "K", each start = 300, each fixed = true) = port.T;
  equation
    for i in 1:N loop
      M/N*cp*der(T[i]) = inlet.m*cp*((if i == 1 then inlet.T else T[i - 1]) - T[i]) + port[i].Q;
    end for;
    outlet.m = inlet.m;
    outlet.T = T[N];
  end Channel;

  model Counterflow
    parameter Integer N = 10 "cells";
    parameter Real UA(unit = "W/K") = 2000 "conductance of the whole wall";
    parameter Real mh(unit = "kg/s") = 0.5, mc(unit = "kg/s") = 0.4, cp(unit = "J/(kg.K)") = 4180;
    parameter Real Th(unit = "K") = 360, Tc(unit = "K") = 290 "at the inlets";
    Supply hotSupply(m = mh, T = Th), coldSupply(m = mc, T = Tc);
    Channel hot(N = N, cp = cp), cold(N = N, cp = cp);
    Daedal.Thermal.Conductor wall[N](each G = UA/N);
    Real heat(unit = "W") = sum(wall.Q);
    Real effectiveness = (cold.outlet.T - Tc)/(Th - Tc) "of the weaker stream";
  protected
    parameter Real NTU = UA/(mc*cp), r = mc/mh;
  public
    parameter Real ideal = (1 - exp(-NTU*(1 - r)))/(1 - r*exp(-NTU*(1 - r))) "effectiveness for N to infinity";
  equation
    connect(hotSupply.out, hot.inlet);
    connect(coldSupply.out, cold.inlet);
    for i in 1:N loop
      connect(hot.port[i], wall[i].a);
      connect(wall[i].b, cold.port[N + 1 - i]);
    end for;
    annotation(experiment(StopTime = 200));
  end Counterflow;
end HeatExchanger;
