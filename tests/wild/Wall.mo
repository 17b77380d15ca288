within ;
model Wall "House wall in n layers between a room and the sun-warmed outside"
  extends Modelica.Icons.Example;
  import Modelica.Thermal.HeatTransfer.*;
  parameter Integer n(min=1) = 5 "Number of layers";
  parameter Modelica.Units.SI.HeatCapacity C = 4e5 "of the whole wall";
  parameter Modelica.Units.SI.ThermalConductance G = 30 "of the whole wall";
  Components.HeatCapacitor layer[n](each C = C/n, each T(start = 288.15, fixed = true));
  Components.ThermalConductor between[n - 1](each G = n*G);
  Components.ThermalConductor facade(G = 2*n*G), plaster(G = 2*n*G);
  Components.HeatCapacitor room(C = 1.5e5, T(start = 293.15, fixed = true));
  Sources.PrescribedTemperature outside;
  Sources.FixedHeatFlow heater(Q_flow = 250);
  Modelica.Blocks.Sources.Sine day(amplitude = 8, f = 1/86400, offset = 278.15, phase = -Modelica.Constants.pi/2);
  Sensors.TemperatureSensor thermometer;
equation
  connect(day.y, outside.T);
  connect(outside.port, facade.port_a);
  connect(facade.port_b, layer[1].port);
  for i in 1:n - 1 loop
    connect(layer[i].port, between[i].port_a);
    connect(between[i].port_b, layer[i + 1].port);
  end for;
  connect(layer[n].port, plaster.port_a);
  connect(plaster.port_b, room.port);
  connect(heater.port, room.port);
  connect(thermometer.port, room.port);
  annotation (experiment(StopTime=86400, Interval=600));
end Wall;
