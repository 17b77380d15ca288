model Synapse "Hodgkin-Huxley neuron: nonlinear rates as functions with several results"
  type mV = Real(final unit = "mV", nominal = 100);
  function rates
    input mV u;
    output Real a[3], b[3] "opening and closing of m, n, h";
  algorithm
    a := {0.1*(25 - u)/(exp((25 - u)/10) - 1), 0.01*(10 - u)/(exp((10 - u)/10) - 1), 0.07*exp(-u/20)};
    b := {4*exp(-u/18), 0.125*exp(-u/80), 1/(exp((30 - u)/10) + 1)};
  end rates;
  constant mV E[3] = {115, -12, 10.6} "Na, K, leak";
  constant Real gmax[3] = {120, 36, 0.3};
  parameter Real I = 12 "stimulus";
  mV u(start = 2, fixed = true);
  Real x[3](start = {0.05, 0.32, 0.6}, each fixed = true) "m, n, h";
  Real g[3], a[3], b[3];
equation
  (a, b) = rates(u);
  der(x) = a .* (ones(3) - x) - b .* x;
  g = gmax .* {x[1]^3*x[3], x[2]^4, 1};
  der(u) = I - g*(fill(u, 3) - E);
  annotation(experiment(StopTime = 12, Tolerance = 1e-8));
end Synapse;
