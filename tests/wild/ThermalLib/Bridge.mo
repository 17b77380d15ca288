within ThermalLib;
model Bridge "conduction, and radiation if wanted"
  HeatPort a, b;
  parameter SI.ThermalConductance G = 0;
  parameter Boolean radiates = false;
  parameter Real epsA = 0.9 "emissivity times area";
equation
  a.q + b.q = 0;
  if radiates then
    a.q = G*(a.T - b.T) + epsA*Modelica.Constants.sigma*(a.T^4 - b.T^4);
  else
    a.q = G*(a.T - b.T);
  end if;
end Bridge;
