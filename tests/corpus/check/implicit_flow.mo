// Pipe network: flows through quadratic resistances between two tanks, index 1 with a nonlinear loop.
model PipeNetwork
  parameter Real A[2] = {1, 2}, k[3] = {1, 2, 3};
  Real h[2](start = {2, 1}, each fixed = true), q[3](each start = 0.5), pm(start = 1.5);
equation
  A[1]*der(h[1]) = -q[1];
  A[2]*der(h[2]) = q[2];
  h[1] - pm = k[1]*q[1]*abs(q[1]);
  pm - h[2] = k[2]*q[2]*abs(q[2]);
  pm = k[3]*q[3]*abs(q[3]);
  q[1] = q[2] + q[3];
end PipeNetwork;
// expect: index=1 dof=2 constraint_count=4 hidden_count=0 unknowns=6 kind=dae verdict=ok certificate=structural initial.missing=0 initial.excess=0
