package Beams "Records of material data"
  record Material "what a beam is made of"
    parameter Modelica.Units.SI.Density rho;
    parameter Modelica.Units.SI.ModulusOfElasticity E;
    parameter Real zeta = 0.01;
  end Material;
  constant Material steel = Material(rho = 7850, E = 2.1e11);
  constant Material alu(rho = 2700, E = 7e10, zeta = 0.02);

  record Section
    Real b = 0.02, h = 0.004;
  end Section;

  model Tip "first mode of a cantilever"
    parameter Material mat = steel;
    parameter Section sec;
    parameter Real L = 0.5;
    final parameter Real I = sec.b*sec.h^3/12;
    final parameter Real k = 3*mat.E*I/L^3 "stiffness at the tip";
    final parameter Real m = 0.2427*mat.rho*sec.b*sec.h*L "moving mass";
    Real w(start = 0.01, fixed = true), v(start = 0, fixed = true);
  equation
    der(w) = v;
    m*der(v) = -k*w - 2*mat.zeta*sqrt(k*m)*v;
    annotation(experiment(StopTime = 0.2));
  end Tip;

  model Two "same beam, two materials"
    Tip one, two(mat = alu, sec(h = 0.006));
    annotation(experiment(StopTime = 0.2));
  end Two;
end Beams;
