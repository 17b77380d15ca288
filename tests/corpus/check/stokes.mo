// Hessenberg form of index 2 as it comes from Stokes flow: u' = K u + G p + f, G^T u = 0.
model Stokes
  parameter Real K[3,3] = [-2, 1, 0; 1, -2, 1; 0, 1, -2], G[3] = {1, 2, -1};
  Real u[3](start = {1, 0, 1}, fixed = {true, true, false}), p;
equation
  der(u) = K*u + G*p + {sin(time), 0, 1};
  G*u = 0;
end Stokes;
// expect: index=2 structural_index=2 dof=2 constraint_count=1 hidden_count=1 unknowns=4 equations=4
// expect: certificate=structural verdict=ok kind=dae initial.missing=0 initial.excess=0
// expect-equivalent: G*(K*u + G*p + {sin(time), 0, 1}) = 0
