model VectorOscillator
  parameter Real M[3,3] = [2, 1, 0; 1, 2, 1; 0, 1, 2], K[3,3] = [4, -1, 0; -1, 4, -1; 0, -1, 4], d = 0.1;
  Real x[3](start = {1, 0, 0}, each fixed = true), v[3](each start = 0, each fixed = true) = der(x);
equation
  M*der(der(x)) + d*v + K*x = {sin(time), 0, 0};
end VectorOscillator;
