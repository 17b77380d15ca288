within Daedal;
package Fluid "Networks of an incompressible fluid"
  connector Port "Where fluid enters"
    Real p(unit = "Pa") "pressure above the surroundings";
    flow Real q(unit = "m3/s") "volume flow into the part";
  end Port;

  partial model Path "Fluid flows from a to b and is not stored"
    Port a, b;
    Real dp(unit = "Pa") = a.p - b.p "pressure lost from a to b";
    Real q(unit = "m3/s") = a.q "from a to b";
  equation
    a.q + b.q = 0;
  end Path;

  model Tank "Open tank: A*der(h) = inflow; pressure of the column at the bottom"
    Port port "at the bottom";
    parameter Real A(unit = "m2") = 1 "cross section";
    parameter Real rho(unit = "kg/m3") = 1000, g(unit = "m/s2") = 9.81;
    Real h(unit = "m", start = 1) "level";
  equation
    A*der(h) = port.q;
    port.p = rho*g*h;
  end Tank;

  model Reservoir "Holds the pressure p"
    Port port;
    parameter Real p(unit = "Pa") = 0;
  equation
    port.p = p;
  end Reservoir;

  model FlowSource "The flow q into what is connected; a sink when it is negative"
    Port port;
    parameter Real q(unit = "m3/s") = 0;
  equation
    port.q = -q;
  end FlowSource;

  model SignalFlow "The flow u into what is connected"
    Port port;
    Blocks.Input u "flow";
  equation
    port.q = -u;
  end SignalFlow;

  model Resistance "dp = R*q"
    extends Path;
    parameter Real R(unit = "Pa.s/m3") = 1;
  equation
    dp = R*q;
  end Resistance;

  model Orifice "dp = k*q*|q|, smooth below the flow qs: k*q*sqrt(q^2 + qs^2)"
    extends Path(q(start = 1e-3));
    parameter Real k(unit = "Pa.s2/m6") = 1;
    parameter Real qs(unit = "m3/s") = 1e-6 "below, the loss is linear";
  equation
    dp = k*q*sqrt(q^2 + qs^2);
  end Orifice;

  model Valve "An orifice with an opening from 0 to 1: q = opening*kv*sqrt(dp), smooth below the pressure dps"
    extends Path;
    parameter Real kv(unit = "m3/(s.Pa1/2)") = 1e-4 "flow per root of pressure, fully open";
    parameter Real dps(unit = "Pa") = 10 "below, the flow is linear";
    Blocks.Input opening "0 closed, 1 open";
  equation
    q = opening*kv*dp/(dp^2 + dps^2)^0.25;
  end Valve;

  model Pipe "Laminar and turbulent loss, a rise, and the inertia of the fluid if asked for"
    extends Path(q(start = 1e-3));
    parameter Real L(unit = "m") = 1 "length";
    parameter Real D(unit = "m") = 0.05 "diameter";
    parameter Real rise(unit = "m") = 0 "how much b is above a";
    parameter Real f = 0.02 "friction factor of turbulent flow (Darcy)";
    parameter Real mu(unit = "Pa.s") = 1e-3 "viscosity";
    parameter Real rho(unit = "kg/m3") = 1000, g(unit = "m/s2") = 9.81;
    parameter Boolean inertia = false "is the flow a state?";
    parameter Real laminar = 128*mu*L/(pi*D^4) "loss per flow (Hagen and Poiseuille)";
    parameter Real turbulent = 8*f*rho*L/(pi^2*D^5) "loss per square of the flow (Darcy and Weisbach)";
    parameter Real inertance = 4*rho*L/(pi*D^2) "pressure per rate of the flow";
    parameter Real qs(unit = "m3/s") = 1e-3*laminar/turbulent "below, the turbulent part is linear";
    Real loss(unit = "Pa") = laminar*q + turbulent*q*sqrt(q^2 + qs^2) "by friction";
  protected
    constant Real pi = 3.14159265358979323846;
  equation
    if inertia then
      inertance*der(q) = dp - rho*g*rise - loss;
    else
      dp = rho*g*rise + loss;
    end if;
  end Pipe;

  model FlowPump "Moves the flow q whatever the pressures are"
    extends Path;
    parameter Real delivery(unit = "m3/s") = 1e-3 "from a to b";
  equation
    q = delivery;
  end FlowPump;

  model Pump "Raises the pressure by speed^2*dpmax - k*q*|q|, with k such that qmax flows at full speed against nothing"
    extends Path(q(start = 0.5*qmax));
    parameter Real dpmax(unit = "Pa") = 1e5 "at full speed without flow";
    parameter Real qmax(unit = "m3/s") = 1e-3 "at full speed without counterpressure";
    parameter Real speed = 1 "1: full speed";
  equation
    -dp = dpmax*(speed^2 - q*sqrt(q^2 + (1e-6*qmax)^2)/qmax^2);
  end Pump;

  model Junction "n ports at one pressure"
    parameter Integer n = 3;
    Port port[n];
    Real p(unit = "Pa") "pressure";
  equation
    port.p = fill(p, n);
    sum(port.q) = 0;
  end Junction;

  model FlowMeter "y = flow from a to b, without loss"
    extends Path;
    Blocks.Output y "flow";
  equation
    dp = 0;
    y = q;
  end FlowMeter;

  model Gauge "y = pressure, without flow"
    Port port;
    Blocks.Output y "pressure";
  equation
    port.q = 0;
    y = port.p;
  end Gauge;
  annotation(Documentation(info = "Ports carry a pressure and a volume flow. Pressures are above the surroundings.
    A pressure between two parts without storage follows from the flows: index 1. Tanks joined without a
    resistance share one pressure, so their levels are no longer independent: index 2, and the flow between them follows
    from a derivative. The same holds for pipes with inertia in series: they share one flow."));
end Fluid;
