package Column "Binary distillation, constant molar flows"
  function vle "vapour over liquid of relative volatility alpha"
    input Real x "liquid fraction";
    input Real alpha = 2;
    output Real y "vapour fraction";
  algorithm
    y := alpha*x/(1 + (alpha - 1)*x);
    annotation(Inline=true, smoothOrder=3);
  end vle;

  record Feed
    Real F = 1 "kmol/h";
    Real z = 0.5 "light component";
    Integer stage = 4;
  end Feed;

  model Simple
    parameter Integer N = 7 "stages, 1 is the reboiler, N the condenser";
    parameter Feed feed(z = 0.45);
    parameter Real R = 1.6 "reflux", V = 1.5 "boil-up";
    parameter Real hold[N] = cat(1, {5}, fill(0.5, N - 2), {3});
    Real x[N](each start = 0.45, each fixed = true), y[N - 1];
    Real L[N] "liquid leaving stage i";
    Real D = V/(R + 1), B = feed.F - D;
  equation
    for i in 1:N - 1 loop
      y[i] = vle(x[i], alpha = 2.4);
      L[i] = if i == 1 then B elseif i <= feed.stage then R*D + feed.F else R*D;
    end for;
    L[N] = R*D;
    hold[1]*der(x[1]) = L[2]*x[2] - V*y[1] - B*x[1];
    for i in 2:N - 1 loop
      hold[i]*der(x[i]) = L[i + 1]*x[i + 1] - L[i]*x[i] + V*(y[i - 1] - y[i])
                          + (if i == feed.stage then feed.F*feed.z else 0);
    end for;
    hold[N]*der(x[N]) = V*y[N - 1] - (R*D + D)*x[N];
    annotation(experiment(StopTime = 10));
  end Simple;
end Column;
