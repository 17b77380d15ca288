model Filter "RLC low pass by its equations"
  type Volt=Real(unit="V");
  type Ampere=Real(unit="A");
  parameter Volt supply=12;
  parameter Real L(unit="H") = 0.02, R(unit="Ohm") = 15, C(unit="F") = 1e-4;
  Volt uC;
  Ampere iL, iR, iC;
initial equation
  uC = 0;
  iL = 0;
equation
  uC = R*iR;
  iC = C*der(uC);
  supply - uC = L*der(iL);
  iL = iR+iC;
annotation(experiment(StopTime=0.02));
end Filter;
