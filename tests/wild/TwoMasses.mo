model TwoMasses "Translational oscillator, standard library"
  import Modelica.Mechanics.Translational;
  Translational.Components.Fixed fixed(s0=0);
  Translational.Components.Spring spring1(s_rel0=0.5, c=200);
  Translational.Components.Mass mass1(m=2, L=0.2, s(start=0.6, fixed=true), v(start=0, fixed=true));
  Translational.Components.SpringDamper link(c=80, d=3, s_rel0=0.4);
  Translational.Components.Mass mass2(m=1, L=0, s(start=1.3, fixed=true), v(start=0.5, fixed=true));
  Translational.Sources.Force force;
  Modelica.Blocks.Sources.Ramp ramp(height=10, duration=1, startTime=0.5);
equation
  connect(fixed.flange, spring1.flange_a);
  connect(spring1.flange_b, mass1.flange_a);
  connect(mass1.flange_b, link.flange_a);
  connect(link.flange_b, mass2.flange_a);
  connect(mass2.flange_b, force.flange);
  connect(ramp.y, force.f);
  annotation (experiment(StopTime=2.5));
end TwoMasses;
