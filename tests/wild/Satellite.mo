model Satellite "Two-body problem in three dimensions, vectors"
  import Modelica.Math.Vectors.length;
  import Modelica.Constants.pi;
  constant Real mu(unit = "m3/s2") = 3.986004418e14;
  parameter Modelica.Units.SI.Length a = 9e6 "semi-major axis";
  parameter Real ecc = 0.2;
  parameter Modelica.Units.SI.Angle incl = 0.5;
  final parameter Modelica.Units.SI.Time period = 2*pi*sqrt(a^3/mu);
  final parameter Real vp = sqrt(mu/a*(1 + ecc)/(1 - ecc)) "speed at perigee";
  Modelica.Units.SI.Position r[3](start = {a*(1 - ecc), 0, 0}, each fixed = true, each nominal = 1e7);
  Modelica.Units.SI.Velocity v[3](start = vp*{0, cos(incl), sin(incl)}, each fixed = true, each nominal = 1e4);
  Real h[3] = cross(r, v) "angular momentum";
  Real E = v*v/2 - mu/length(r);
equation
  der(r) = v;
  der(v) = -mu*r/length(r)^3;
  annotation(experiment(StopTime = 3600));
end Satellite;
