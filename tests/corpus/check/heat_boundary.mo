// Heat equation by finite differences; the boundary values are algebraic.
model HeatBoundary
  parameter Integer N = 10;
  Real T[N + 2](each start = 0);
equation
  T[1] = sin(time);
  for i in 2:N + 1 loop
    der(T[i]) = (N + 1)^2*(T[i - 1] - 2*T[i] + T[i + 1]);
  end for;
  T[N + 2] = T[N + 1];
end HeatBoundary;
// expect: index=1 dof=10 constraint_count=2 hidden_count=0 unknowns=12 kind=dae verdict=ok certificate=structural
