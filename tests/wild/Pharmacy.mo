model Pharmacy "Two-compartment model of a drug, dose by infusion"
  parameter Real V1(unit = "l") = 12, V2(unit = "l") = 30;
  parameter Real CL(unit = "l/h") = 4, Q(unit = "l/h") = 7;
  parameter Real rate(unit = "mg/h") = 100, duration(unit = "h") = 1.5;
  Real A1(unit = "mg", start = 0, fixed = true) "blood", A2(unit = "mg", start = 0, fixed = true) "tissue";
  Real c1(unit = "mg/l") = A1/V1, c2(unit = "mg/l") = A2/V2;
  Real AUC(start = 0, fixed = true) "area under the curve";
equation
  der(A1) = (if time < duration then rate else 0) - CL*c1 - Q*(c1 - c2);
  der(A2) = Q*(c1 - c2);
  der(AUC) = c1;
  annotation(experiment(StopTime = 12, StartTime = 0));
end Pharmacy;
