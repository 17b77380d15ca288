model ThermoLesson1 "Thermometer put into warm water"
  Real reading "What the thermometer shows";
initial equation
  reading = 18 "It came from the cupboard";
equation
  4*der(reading) = 36.6 - reading;
  annotation (experiment(StopTime=12), Documentation(info="<html>
<p>A <em>first order</em> lag, &tau; = 4&nbsp;s. See <a href=\"modelica://Modelica\">the library</a>.</p>
</html>", revisions="<html><ul><li>first version</li></ul></html>"));
end ThermoLesson1;
