// M(x) [x'; z] = f: a matrix of mass form with an algebraic unknown
model MassMatrix
  Real x[2](start = {1, 0}, each fixed = true), z;
equation
  [2, x[1], 1; x[1], 3, 0; 1, 0, 0]*{der(x[1]), der(x[2]), z} = {x[2], -x[1], sin(time)};
end MassMatrix;
// Third row x1' = sin(t): z from the first, x2' from the second. No constraint among the states but z is algebraic.
// expect: index=1 dof=2 constraint_count=1 hidden_count=0 unknowns=3 kind=dae verdict=ok initial.missing=0 initial.excess=0
