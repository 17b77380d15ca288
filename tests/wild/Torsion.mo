model Torsion "Two discs on an elastic shaft"
  type Angle=Real(unit="rad");
  type Speed=Real(unit="rad/s");
  parameter Real Ja(unit="kg.m2")=0.3, Jb(unit="kg.m2")=0.9 "the discs";
  parameter Real shaft(unit="N.m/rad")=14, wall(unit="N.m/rad")=6 "stiffness";
  parameter Real loss_shaft=0.15, loss_wall=0.7 "damping";
  Angle a "left disc";
  Angle b "right disc";
  Speed wa, wb;
initial equation
  a = 0;
  b = 0.8;
  wa = 0;
  wb = 0;
equation
  wa = der(a);
  wb = der(b);
  // torques on the left disc
  Ja*der(wa) = shaft*(b-a)+loss_shaft*der(b-a);
  // torques on the right disc
  Jb*der(wb) = shaft*(a-b)+loss_shaft*der(a-b)-wall*b-loss_wall*der(b);
  annotation(experiment(StopTime=4));
end Torsion;
