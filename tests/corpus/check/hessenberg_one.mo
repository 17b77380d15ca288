// Semi-explicit index 1 with a coupled 3x3 algebraic system.
model HessenbergOne
  Real x[2](start = {1, -1}), z[3];
equation
  der(x) = {-x[1] + z[1], -x[2] + z[2]*z[3]};
  4*z[1] + z[2] = x[1];
  z[1] + 5*z[2] - z[3] = x[2];
  z[2] + 6*z[3] + sin(z[3])/2 = time;
end HessenbergOne;
// expect: index=1 dof=2 constraint_count=3 hidden_count=0 unknowns=5 kind=dae verdict=ok certificate=structural
