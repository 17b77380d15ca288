model Suspension "Quarter car; the shock absorber can be left out"
  import T = Modelica.Mechanics.Translational.Components;
  parameter Boolean hasDamper = true;
  T.Mass body(m = 300, s(start = 0, fixed = true), v(start = 0, fixed = true));
  T.Mass wheel(m = 40, s(start = 0, fixed = true), v(start = 0, fixed = true));
  T.Spring suspension(c = 16000), tyre(c = 160000);
  T.Damper absorber(d = 1500) if hasDamper;
  Modelica.Mechanics.Translational.Sources.Position road(exact = true);
  Modelica.Blocks.Sources.Sine bumps(amplitude = 0.05, f = 1.5);
equation
  connect(bumps.y, road.s_ref);
  connect(road.flange, tyre.flange_a);
  connect(tyre.flange_b, wheel.flange_a);
  connect(wheel.flange_b, suspension.flange_a);
  connect(suspension.flange_b, body.flange_a);
  connect(wheel.flange_b, absorber.flange_a);
  connect(absorber.flange_b, body.flange_a);
  annotation(experiment(StopTime = 2));
end Suspension;

model WornSuspension
  extends Suspension(hasDamper = false);
  annotation(experiment(StopTime = 2));
end WornSuspension;
