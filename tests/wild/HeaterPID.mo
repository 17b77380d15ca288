model HeaterPID "Oven with a limited PID controller"
  import Modelica.Units.SI;
  parameter SI.Temperature T_set = 353.15;
  Modelica.Blocks.Sources.Constant setpoint(k = T_set);
  Modelica.Blocks.Math.Feedback error;
  Modelica.Blocks.Continuous.PID pid(k = 40, Ti = 120, Td = 4, Nd = 5,
                                     initType = Modelica.Blocks.Types.Init.InitialState, xd_start = 60);
  Modelica.Blocks.Nonlinear.Limiter limiter(uMax = 1000, uMin = 0);
  Modelica.Thermal.HeatTransfer.Sources.PrescribedHeatFlow heater;
  Modelica.Thermal.HeatTransfer.Components.HeatCapacitor oven(C = 2000, T(start = 293.15, fixed = true));
  Modelica.Thermal.HeatTransfer.Components.ThermalConductor loss(G = 6);
  Modelica.Thermal.HeatTransfer.Sources.FixedTemperature kitchen(T = 293.15);
  Modelica.Thermal.HeatTransfer.Sensors.TemperatureSensor sensor;
equation
  connect(setpoint.y, error.u1);
  connect(sensor.T, error.u2);
  connect(error.y, pid.u);
  connect(pid.y, limiter.u);
  connect(limiter.y, heater.Q_flow);
  connect(heater.port, oven.port);
  connect(oven.port, loss.port_a);
  connect(loss.port_b, kitchen.port);
  connect(oven.port, sensor.port);
  annotation(experiment(StopTime = 600));
end HeaterPID;
