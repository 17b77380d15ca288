within ThermalLib;
model Mass "lumped heat capacity"
  HeatPort port;
  parameter SI.HeatCapacity C;
  parameter Modelica.Units.NonSI.Temperature_degC begin_ = 20;
  SI.Temperature T(start = begin_ + T0, fixed = true);
equation
  T = port.T;
  C*der(T) = port.q;
end Mass;
