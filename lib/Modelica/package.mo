package Modelica "Names of the Modelica standard library that course and textbook models use most"
  annotation(Documentation(info = "A small compatibility package: the usual units, constants, functions, blocks and
    parts under their standard names, with the standard parameters and connectors. What needs stage 3 of the language
    (when, replaceable, support flanges, media) is not here."));
end Modelica;
