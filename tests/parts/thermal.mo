// Every part of Daedal.Thermal once.
package ThermalParts
  import Daedal.Thermal.*;

  model Cooling "Capacity, Conductor, FixedTemperature, HeatSource, Thermometer, HeatMeter"
    Capacity body(C = 100, T(start = 350, fixed = true));
    HeatSource heater(Q = 30);
    HeatMeter meter;
    Conductor wall(G = 2);
    FixedTemperature outside(T = 280);
    Thermometer thermometer;
  equation
    connect(heater.port, body.port);
    connect(body.port, meter.a);
    connect(meter.b, wall.a);
    connect(wall.b, outside.port);
    connect(thermometer.port, body.port);
    annotation(experiment(StopTime = 40));
  end Cooling;

  model Air "Convection, SignalTemperature, SignalHeatSource: a ramp of the surroundings"
    Daedal.Blocks.Ramp ramp(height = 20, duration = 10, offset = 290);
    Daedal.Blocks.Constant power(k = 15);
    Capacity body(C = 50, T(start = 290, fixed = true));
    Convection air(h = 5, A = 2);
    SignalTemperature outside;
    SignalHeatSource heater;
  equation
    connect(ramp.y, outside.u);
    connect(power.y, heater.u);
    connect(heater.port, body.port);
    connect(body.port, air.a);
    connect(air.b, outside.port);
    annotation(experiment(StopTime = 10));
  end Air;

  model Space "Radiation into the void: T^-3 grows linearly"
    Capacity plate(C = 1000, T(start = 400, fixed = true));
    Radiation radiation(A = 2, eps = 0.8);
    FixedTemperature void(T = 0);
  equation
    connect(plate.port, radiation.a);
    connect(radiation.b, void.port);
    annotation(experiment(StopTime = 500));
  end Space;
end ThermalParts;
