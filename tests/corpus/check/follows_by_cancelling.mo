// x4 = 0 is the difference of two equations; x6, x3, x1 and x2 follow from it. Only x5 and x7 may be chosen: that x4
// moves by rounding errors along the directions that are left does not make it free.
model FollowsByCancelling
  Real x[7];
equation
  der(x[7]) = -x[4] - 2*x[5] - 2*x[7];
  der(x[6]) = x[3] + 3*x[4] + 3*x[6];
  0 = x[4] + x[6];
  3*der(x[6]) + 2*der(x[7]) = x[1] + 3*x[3] + 9*x[4] - 4*x[5] + 9*x[6] - 4*x[7];
  der(x[3]) = x[2];
  der(x[5]) = -2*x[5] + x[7];
  der(x[5]) = x[4] - 2*x[5] + x[7];
end FollowsByCancelling;
// expect: index=3 dof=2 constraint_count=3 hidden_count=2 verdict=ok
// expect: initial.missing=2 initial.free_choice.0=x[5] initial.free_choice.1=x[7] initial.completion.0=x[5] initial.completion.1=x[7]
