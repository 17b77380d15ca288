model Inertia
  parameter Real M[2,2] = [2, 1; 1, 3], G[2] = {1, 2};
  Real x[2](start = {2, -1}), l;
equation
  M*der(x) = {x[2], -x[1]} + G*l;
  G*x = 0;
end Inertia;
