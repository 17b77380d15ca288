// Two batteries in parallel, both ideal: nothing says which one delivers the current.
model TwoSources
  parameter Real R = 10, C = 1e-3;
  Real v "across the batteries", i1, i2 "through them";
  Real vc(start = 0, fixed = true) "across the capacitor";
equation
  v = 9 "first battery";
  v = 8.7 "second battery";
  R*(i1 + i2) = v - vc;
  C*der(vc) = i1 + i2;
end TwoSources;
