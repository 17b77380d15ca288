model NewtonElimination
  Real x(start = 1, fixed = true), z;
equation
  der(x) = -z;
  z + exp(z) = x;
end NewtonElimination;
