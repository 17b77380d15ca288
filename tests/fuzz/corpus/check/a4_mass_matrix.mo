model MassMatrix
  Real x[2](start = {1, 0}, each fixed = true), z;
equation
  [2, x[1], 1; x[1], 3, 0; 1, 0, 0]*{der(x[1]), der(x[2]), z} = {x[2], -x[1], sin(time)};
end MassMatrix;
