model FoodWeb "n species, generalised Lotka-Volterra"
  parameter Integer n = 3;
  parameter Real r[n] = {1.0, 0.4, -0.6} "growth rates";
  parameter Real A[n, n] = {{-0.10, -0.05, -0.02}, {0.01, -0.08, -0.04}, {0.03, 0.05, -0.01}} "interactions";
  parameter Real x0[:] = {4, 3, 2};
  Real x[n](start = x0, each fixed = true);
  Real total;
equation
  for i in 1:n loop
    der(x[i]) = x[i]*(r[i] + sum(A[i, j]*x[j] for j in 1:n));
  end for;
  total = sum(x);
  annotation(experiment(StopTime = 20));
end FoodWeb;
