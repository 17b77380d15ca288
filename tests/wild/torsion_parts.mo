model torsion_parts "Two discs on an elastic shaft, from the standard library"
  extends Modelica.Icons.Example;
  Modelica.Mechanics.Rotational.Components.Inertia left(J=0.3, phi(fixed=true, start=0), w(fixed=true, start=0))
    annotation (Placement(transformation(extent={{-60,-10},{-40,10}})));
  Modelica.Mechanics.Rotational.Components.Inertia right(J=0.9, phi(fixed=true, start=0.8), w(fixed=true, start=0))
    annotation (Placement(transformation(extent={{-10,-10},{10,10}})));
  Modelica.Mechanics.Rotational.Components.Spring spring(c=14);
  Modelica.Mechanics.Rotational.Components.Damper damper(d=0.15);
  Modelica.Mechanics.Rotational.Components.SpringDamper bearing(c=6, d=0.7);
  Modelica.Mechanics.Rotational.Components.Fixed fixed;
equation
  connect(left.flange_b, spring.flange_a) annotation (Line(points={{-40,0},{-30,0}}, color={0,0,0}));
  connect(left.flange_b, damper.flange_a) annotation (Line(points={{-40,0},{-35,0},{-35,-20}}));
  connect(spring.flange_b, right.flange_a);
  connect(damper.flange_b, right.flange_a);
  connect(right.flange_b, bearing.flange_a);
  connect(bearing.flange_b, fixed.flange);
  annotation (Diagram(coordinateSystem(preserveAspectRatio=false)), experiment(StopTime=4));
end torsion_parts;
