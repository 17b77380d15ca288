// x + y = 1 and 2 x + 2 y = 3 have no common solution.
model Contradiction
  Real x, y;
equation
  x + y = 1;
  2*x + 2*y = 3;
end Contradiction;
// expect: verdict=inconsistent index=null dof=null
// expect-reason: contradiction.mo:5
// expect-reason: contradiction.mo:6
// expect-exit: 1
