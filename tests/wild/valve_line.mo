within ;
encapsulated package valve_line "Everything imported by hand"
  import Modelica;
  import SI = Modelica.Units.SI;
  import Modelica.Constants.{pi, g_n};

  function area "of a circle"
    extends Modelica.Icons.Function;
    input SI.Diameter d;
    output SI.Area A;
  algorithm
    A := pi*d^2/4;
  end area;

  record Geometry
    extends Modelica.Icons.Record;
    SI.Diameter d = 0.02;
    SI.Length l = 2;
  end Geometry;

  model Vessel "emptied through a valve that closes smoothly"
    extends Modelica.Icons.Example;
    parameter Geometry geometry(d = 0.03);
    parameter SI.Area A = 0.2;
    parameter Real zeta = 1.5;
    SI.Height h(start = 1.5, fixed = true);
    SI.Velocity v;
    SI.VolumeFlowRate q = opening*area(geometry.d)*v;
    Real opening(min = 0, max = 1) = smooth(1, noEvent(if time < 60 then 1 else exp(-(time - 60)^2/400)));
  equation
    v = sqrt(2*g_n*max(h, 1e-9)/(1 + zeta));
    A*der(h) = -q;
    annotation (experiment(StopTime=120, __Dymola_Algorithm="Dassl"));
  end Vessel;
end valve_line;
