model Inputs "top level inputs and outputs"
  Modelica.Blocks.Interfaces.RealInput u;
  Modelica.Blocks.Interfaces.RealOutput y;
  Modelica.Blocks.Continuous.FirstOrder f(T = 2, k = 1, initType = Modelica.Blocks.Types.Init.InitialOutput);
  input Real v = 2;
  output Real w;
equation
  connect(u, f.u);
  connect(f.y, y);
  w = v*y;
end Inputs;
