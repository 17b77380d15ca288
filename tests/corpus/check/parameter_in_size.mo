// Sizes, loop bounds and an if on a loop index from parameters.
model ParameterInSize
  parameter Integer N = 4, k = 2;
  Real x[N](each start = 1);
equation
  for i in 1:N loop
    if i <= k then
      der(x[i]) = -x[i];
    else
      x[i] = x[i - k];
    end if;
  end for;
end ParameterInSize;
// expect: index=1 dof=2 constraint_count=2 hidden_count=0 unknowns=4 verdict=ok
// run: --set k=4
// expect: index=0 dof=4 kind=ode verdict=ok
// run: --set N=9
// expect: index=1 dof=2 constraint_count=7 unknowns=9 verdict=ok
