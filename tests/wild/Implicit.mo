class Implicit "Neither derivative nor algebraic variable can be solved for by hand"
  Real p(start=1, fixed=true);
  Real q(start=0.5);
equation
  (2+cos(q))*der(p) + der(q) = -p + 0.3*sin(2*time);
  q + 0.4*sin(q) = p*exp(-q^2);
annotation(experiment(StopTime=2));
end Implicit;
