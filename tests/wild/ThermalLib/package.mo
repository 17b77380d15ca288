package ThermalLib "A library kept as a folder"
  import SI = Modelica.Units.SI;
  constant SI.Temperature T0 = 273.15;
  annotation(version = "1.2", uses(Modelica(version = "4.0.0")));
end ThermalLib;
