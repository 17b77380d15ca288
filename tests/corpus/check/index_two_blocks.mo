// Two nilpotent blocks of sizes 2 and 1 and one regular state, mixed by combining rows: index 2, 1 degree of freedom.
model TwoBlocks
  parameter Real P[4,4] = [1, 2, 0, 1; 0, 1, 1, 0; 1, 0, 1, 2; 0, 0, 1, 1];
  parameter Real E[4,4] = [1, 0, 0, 0; 0, 0, 1, 0; 0, 0, 0, 0; 0, 0, 0, 0];
  parameter Real A[4,4] = [-1, 0, 0, 0; 0, 1, 0, 0; 0, 0, 1, 0; 0, 0, 0, 1];
  Real x[4];
equation
  P*E*der(x) = P*A*x + {sin(time), cos(time), 1, time};
end TwoBlocks;
// expect: index=2 dof=1 constraint_count=2 hidden_count=1 unknowns=4 kind=dae verdict=ok certificate=structural|converted|derivative_array
