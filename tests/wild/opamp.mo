model opamp "integrator and inverting amplifier, ideal operational amplifiers"
  Modelica.Electrical.Analog.Sources.CosineVoltage source(V = 2, f = 10);
  Modelica.Electrical.Analog.Basic.Resistor Rin(R = 1e3), R1(R = 2e3), R2(R = 6e3);
  Modelica.Electrical.Analog.Basic.Capacitor C(C = 1e-5, v(start = 0, fixed = true));
  Modelica.Electrical.Analog.Ideal.IdealOpAmp3Pin integrator, inverter;
  Modelica.Electrical.Analog.Basic.Ground ground;
  Modelica.Electrical.Analog.Sensors.PotentialSensor probe1, probe2;
equation
  connect(source.n, ground.p);
  connect(source.p, Rin.p);
  connect(Rin.n, integrator.in_n);
  connect(integrator.in_n, C.p);
  connect(C.n, integrator.out);
  connect(integrator.in_p, ground.p);
  connect(integrator.out, R1.p);
  connect(R1.n, inverter.in_n);
  connect(inverter.in_n, R2.p);
  connect(R2.n, inverter.out);
  connect(inverter.in_p, ground.p);
  connect(probe1.p, integrator.out);
  connect(probe2.p, inverter.out);
  annotation(experiment(StopTime = 0.08));
end opamp;
