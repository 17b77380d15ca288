// N differentiators in a row: index N.
model LongChain
  parameter Integer N = 6;
  Real x[N];
equation
  x[1] = exp(-time);
  for i in 1:N - 1 loop
    der(x[i]) = x[i + 1];
  end for;
end LongChain;
// expect: index=6 dof=0 constraint_count=1 hidden_count=5 unknowns=6 verdict=ok certificate=structural
// run: --set N=1
// expect: index=1 dof=0 constraint_count=1 hidden_count=0 unknowns=1 kind=algebraic verdict=ok
// run: --set N=11
// expect: index=11 dof=0 constraint_count=1 hidden_count=10 unknowns=11 verdict=ok
