model dcmotor "Permanent magnet DC motor, standard library, with gear and load"
  Modelica.Electrical.Analog.Basic.Resistor R1(R=0.5);
  Modelica.Electrical.Analog.Basic.Inductor L(L=0.05, i(start=0, fixed=true));
  Modelica.Electrical.Analog.Basic.RotationalEMF emf(k=1.2);
  Modelica.Electrical.Analog.Sources.StepVoltage u(V=24, startTime=0.1);
  Modelica.Electrical.Analog.Basic.Ground G;
  Modelica.Mechanics.Rotational.Components.Inertia rotor(J=0.02, w(start=0, fixed=true), phi(start=0, fixed=true));
  Modelica.Mechanics.Rotational.Components.IdealGear gear(ratio=5);
  Modelica.Mechanics.Rotational.Components.Inertia load(J=2);
  Modelica.Mechanics.Rotational.Components.Damper friction(d=0.8);
  Modelica.Mechanics.Rotational.Components.Fixed wall;
  Modelica.Mechanics.Rotational.Sensors.SpeedSensor sensor;
  output Real rpm = Modelica.Units.Conversions.to_rpm(sensor.w);
equation
  connect(u.p, R1.p);
  connect(R1.n, L.p);
  connect(L.n, emf.p);
  connect(emf.n, u.n);
  connect(u.n, G.p);
  connect(emf.flange, rotor.flange_a);
  connect(rotor.flange_b, gear.flange_a);
  connect(gear.flange_b, load.flange_a);
  connect(load.flange_b, friction.flange_a);
  connect(friction.flange_b, wall.flange);
  connect(load.flange_b, sensor.flange);
  annotation(experiment(StopTime=1, Tolerance=1e-06));
end dcmotor;
