model Trafo "Transformer with a resistive load"
  import Modelica.Electrical.Analog.*;
  Sources.SineVoltage mains(V=325, freqHz=50);
  Basic.Resistor Rp(R=1.5), load(R=8);
  Basic.Transformer trafo(L1=0.4, L2=0.1, M=0.19, i1(start=0, fixed=true), i2(start=0, fixed=true));
  Basic.Ground g1, g2;
equation
  connect(mains.p, Rp.p);
  connect(Rp.n, trafo.p1);
  connect(trafo.n1, mains.n);
  connect(mains.n, g1.p);
  connect(trafo.p2, load.p);
  connect(load.n, trafo.n2);
  connect(trafo.n2, g2.p);
  annotation(experiment(StopTime=0.03));
end Trafo;
