// More than 256 degrees of freedom: conditions on variables that are no states are ranked too. s follows from x; the
// energies fix every speed, so the sum q makes the last of them redundant.
model ManyConditions "600 degrees of freedom, energies given instead of speeds, two conditions too many"
  parameter Integer n = 300;
  Real x[n](each start = 0.5, each fixed = true), v[n](each start=0.1), e[n], s(start=1,fixed=true), q(start=2,fixed=true);
initial equation
  for i in 1:n loop
    e[i] = 1;
  end for;
equation
  der(x) = v;
  for i in 1:n loop
    der(v[i]) = -x[i];
    e[i] = v[i]^2/2 + x[i]^2/2;
  end for;
  s = x[1] + 2*x[2];
  q = sum(v);
end ManyConditions;
// expect: index=1 dof=600 initial.missing=0 initial.excess=2 verdict=ok
