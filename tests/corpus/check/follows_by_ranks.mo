// A pencil with blocks of infinite eigenvalues of sizes 1 and 3, and one finite eigenvalue. x2 = x3 = x4 = 0, x1 = 0, and x5 is
// free; ranks of the differentiated equations must not count directions of derivatives as directions of x.
model FollowsByRanks
  Real x[5];
equation
  der(x[4]) + der(x[5]) = -x[1] + 2*x[4] + x[5];
  0 = x[3];
  der(x[4]) = x[1];
  der(x[2]) + der(x[4]) = 3*x[3] + x[4];
  0 = x[2] + x[4];
end FollowsByRanks;
// expect: index=3 dof=1 constraint_count=2 hidden_count=2 verdict=ok
// expect: initial.missing=1 initial.free_choice.0=x[5] initial.completion.0=x[5]
