within ThermalLib;
model Ambient
  parameter SI.Temperature T = T0 + 20;
  HeatPort port(T = T);
end Ambient;
