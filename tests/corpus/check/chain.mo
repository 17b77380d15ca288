// Chain of N masses hanging in the plane, written with for: 5 N unknowns.
model Chain
  parameter Integer N = 5;
  parameter Real m = 1, L = 0.2, g = 9.81;
  Real x[N](start = {0.16*i for i in 1:N}), y[N](start = {-0.12*i for i in 1:N});
  Real u[N](each start = 0), v[N](each start = 0), lam[N];
equation
  for i in 1:N loop
    der(x[i]) = u[i];
    der(y[i]) = v[i];
    m*der(u[i]) = -lam[i]*(x[i] - (if i > 1 then x[i - 1] else 0)) + (if i < N then lam[i + 1]*(x[i + 1] - x[i]) else 0);
    m*der(v[i]) = -lam[i]*(y[i] - (if i > 1 then y[i - 1] else 0)) + (if i < N then lam[i + 1]*(y[i + 1] - y[i]) else 0) - m*g;
    (x[i] - (if i > 1 then x[i - 1] else 0))^2 + (y[i] - (if i > 1 then y[i - 1] else 0))^2 = L^2;
  end for;
end Chain;
// long: constraints are verified by the derivative array, as far as it is small
// expect: index=3 dof=10 constraint_count=5 hidden_count=10 unknowns=25 equations=25 kind=dae verdict=ok certificate=structural
// run: --set N=1
// expect: index=3 dof=2 constraint_count=1 hidden_count=2 unknowns=5 verdict=ok
// run: --set N=3
// expect: index=3 dof=6 constraint_count=3 hidden_count=6 unknowns=15 equations=15 kind=dae verdict=ok certificate=structural
// run: --set N=12
// expect: index=3 dof=24 constraint_count=12 hidden_count=24 unknowns=60 verdict=ok
