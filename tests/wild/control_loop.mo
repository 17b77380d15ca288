model control_loop "block diagram: PI control of a plant given by its transfer function"
  Modelica.Blocks.Sources.Step reference(height=2, startTime=0.5) annotation (Placement(transformation(extent={{-80,0},{-60,20}})));
  Modelica.Blocks.Math.Feedback feedback;
  Modelica.Blocks.Continuous.PI controller(k=1.5, T=0.8, initType=Modelica.Blocks.Types.Init.InitialState, x_start=0);
  Modelica.Blocks.Continuous.TransferFunction plant(b={0.5, 2}, a={1, 2, 2}, initType=Modelica.Blocks.Types.Init.InitialState);
  Modelica.Blocks.Continuous.FirstOrder sensor(T=0.1, k=1, initType=Modelica.Blocks.Types.Init.InitialOutput, y_start=0);
equation
  connect(reference.y, feedback.u1) annotation (Line(points={{-59,10},{-38,10}}, color={0,0,127}));
  connect(feedback.y, controller.u);
  connect(controller.y, plant.u);
  connect(plant.y, sensor.u);
  connect(sensor.y, feedback.u2);
  annotation (experiment(StopTime=4));
end control_loop;
