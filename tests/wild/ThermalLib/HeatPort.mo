within ThermalLib;
connector HeatPort
  SI.Temperature T;
  flow SI.HeatFlowRate q;
end HeatPort;
