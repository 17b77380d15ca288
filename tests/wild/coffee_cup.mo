model coffee_cup
  "Cup of coffee on a desk, temperatures in °C for the plot"
  import SI = Modelica.SIunits;
  import Modelica.SIunits.Conversions.*;
  parameter SI.Temperature T_room = from_degC(21);
  parameter SI.Temperature T_start = from_degC(88);
  parameter SI.Mass m = 0.25;
  parameter SI.SpecificHeatCapacity c = 4184;
  parameter SI.Area A = 0.018;
  parameter SI.CoefficientOfHeatTransfer k = 14;
  SI.Temperature T(start = T_start, fixed = true, displayUnit = "degC");
  Modelica.SIunits.Conversions.NonSIunits.Temperature_degC celsius = to_degC(T);
  SI.HeatFlowRate loss;
equation
  m*c*der(T) = -loss;
  loss = k*A*(T - T_room);
  annotation (experiment(StopTime = 3600, Interval = 10));
end coffee_cup;
