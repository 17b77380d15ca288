// z is given by an equation without a closed solution: z + exp(z) = x.
model NewtonElimination
  Real x(start = 1, fixed = true), z;
equation
  der(x) = -z;
  z + exp(z) = x;
end NewtonElimination;
// expect: index=1 dof=1 constraint_count=1 hidden_count=0 unknowns=2 kind=dae verdict=ok certificate=structural initial.missing=0 initial.excess=0
