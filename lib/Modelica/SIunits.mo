within Modelica;
package SIunits "The older name of Modelica.Units.SI"
  extends Modelica.Units.SI;

  type Temp_K = Modelica.Units.SI.ThermodynamicTemperature "Absolute temperature";
  type Temp_C = Real(quantity = "ThermodynamicTemperature", unit = "degC") "Temperature in degree Celsius";
  type CelsiusTemperature = Temp_C "Temperature in degree Celsius";
  type AngularVelocity_rpm = Real(quantity = "AngularVelocity", unit = "rev/min") "Speed in revolutions per minute";

  package Conversions "The older name of Modelica.Units.Conversions"
    extends Modelica.Units.Conversions;

    package NonSIunits "The older name of Modelica.Units.NonSI"
      extends Modelica.Units.NonSI;
    end NonSIunits;
  end Conversions;
end SIunits;
