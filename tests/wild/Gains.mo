model Gains "arrays of blocks, connected as arrays"
  block Saturation "own block from the interfaces"
    extends Modelica.Blocks.Interfaces.SISO;
    parameter Real limit = 1;
  equation
    y = limit*tanh(u/limit);
  end Saturation;
  constant Integer n = 3;
  Modelica.Blocks.Sources.Sine source[n](amplitude = {1, 2, 3}, each f = 0.5, phase = {0.1*i for i in 1:n});
  Modelica.Blocks.Math.Gain gain[n](k = {1, -2, 3});
  Saturation sat[n](limit = {1, 2, 5});
  Modelica.Blocks.Math.Sum total(nin = n);
  Modelica.Blocks.Continuous.Integrator integrator(y_start = 1);
  Modelica.Blocks.Interfaces.RealOutput y;
equation
  connect(source.y, gain.u);
  connect(gain.y, sat.u);
  connect(sat.y, total.u);
  connect(total.y, integrator.u);
  connect(integrator.y, y);
  annotation(experiment(StopTime = 1.2));
end Gains;
