model Stokes
  parameter Real K[3,3] = [-2, 1, 0; 1, -2, 1; 0, 1, -2], G[3] = {1, 2, -1};
  Real u[3](start = {1, 0, 1}, fixed = {true, true, false}), p;
equation
  der(u) = K*u + G*p + {sin(time), 0, 1};
  G*u = 0;
end Stokes;
