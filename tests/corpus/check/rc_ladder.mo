// RC ladder of N sections with for.
model RcLadder
  parameter Integer N = 8;
  parameter Real R = 1000, C = 1e-6;
  Real v[N](each start = 0, each fixed = true), i[N];
equation
  for k in 1:N loop
    R*i[k] = (if k == 1 then sin(100*time) else v[k - 1]) - v[k];
    C*der(v[k]) = i[k] - (if k < N then i[k + 1] else 0);
  end for;
end RcLadder;
// expect: index=1 dof=8 constraint_count=8 hidden_count=0 unknowns=16 kind=dae verdict=ok certificate=structural initial.missing=0 initial.excess=0
// run: --set N=1
// expect: index=1 dof=1 constraint_count=1 unknowns=2 verdict=ok
