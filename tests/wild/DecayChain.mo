model DecayChain "Bateman's chain with matrices built by comprehensions"
  parameter Real lambda[:] = {0.9, 0.5, 0.2, 0};
  parameter Integer n = size(lambda, 1);
  parameter Real M[n, n] = {{if i == j then -lambda[i] elseif i == j + 1 then lambda[j] else 0 for j in 1:n} for i in 1:n};
  Real N[n](start = {if i == 1 then 1000 else 0 for i in 1:n}, each fixed = true);
  Real activity = lambda*N;
equation
  der(N) = M*N;
  assert(abs(sum(N) - 1000) < 1e-3, "nuclei got lost");
  annotation(experiment(StopTime = 6));
end DecayChain;
