model HeatExchanger
  "Counter-current heat exchanger, finite volumes"
  parameter Integer N = 6;
  parameter Real mh = 0.4, mc = 0.3 "kg/s";
  parameter Real cp = 4180;
  parameter Real UA = 2500 "W/K in total";
  parameter Real Mh = 4, Mc = 3 "kg in total";
  parameter Real Thin = 353, Tcin = 288;
  Real Th[N](each start = 300, each fixed = true), Tc[N](each start = 300, each fixed = true);
  Real Q[N];
protected
  Real hot[N + 1] = cat(1, {Thin}, Th);
  Real cold[N + 1] = cat(1, Tc, {Tcin});
equation
  Q = UA/N*(Th - Tc);
  Mh/N*cp*der(Th) = mh*cp*(hot[1:N] - hot[2:N + 1]) .- Q;
  Mc/N*cp*der(Tc) = mc*cp*(cold[2:N + 1] - cold[1:N]) .+ Q;
annotation(experiment(StopTime = 30));
end HeatExchanger;
