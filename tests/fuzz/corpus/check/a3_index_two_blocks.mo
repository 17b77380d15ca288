model TwoBlocks
  parameter Real P[4,4] = [1, 2, 0, 1; 0, 1, 1, 0; 1, 0, 1, 2; 0, 0, 1, 1];
  parameter Real E[4,4] = [1, 0, 0, 0; 0, 0, 1, 0; 0, 0, 0, 0; 0, 0, 0, 0];
  parameter Real A[4,4] = [-1, 0, 0, 0; 0, 1, 0, 0; 0, 0, 1, 0; 0, 0, 0, 1];
  Real x[4];
equation
  P*E*der(x) = P*A*x + {sin(time), cos(time), 1, time};
end TwoBlocks;
