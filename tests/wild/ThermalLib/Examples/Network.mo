within ThermalLib.Examples;
model Network "Three bodies, one radiates"
  Mass a(C = 500, begin_ = 400), b(C = 800), c(C = 300, begin_ = 60);
  Bridge ab(G = 2), bc(G = 1.5), sky(G = 0.1, radiates = true, epsA = 0.2);
  Ambient ambient(T = 280);
equation
  connect(a.port, ab.a);
  connect(ab.b, b.port);
  connect(b.port, bc.a);
  connect(bc.b, c.port);
  connect(a.port, sky.a);
  connect(sky.b, ambient.port);
  annotation(experiment(StopTime = 300));
end Network;
