// A room with a heater. The heating power is an input: 0 when nobody says otherwise, a formula with --set, or a table
// with --input. Time is in hours; a table for one evening is examples/heater.csv.
model Heater
  parameter Real C = 0.5 "heat stored per kelvin, in kWh/K";
  parameter Real G = 0.1 "heat lost per kelvin, in kW/K";
  parameter Real outside = 5 "temperature outside";
  input Real power(unit = "kW") "of the heater";
  Real T(start = 15, fixed = true, unit = "degC") "temperature of the room";
  Real loss(unit = "kW") "through the walls";
equation
  C*der(T) = power - loss;
  loss = G*(T - outside);
  annotation(experiment(StopTime = 6));
end Heater;
