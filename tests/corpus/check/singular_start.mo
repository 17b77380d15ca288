// t x' + x = 1 from t = 0: only x = 1 stays finite there, and the rank changes along the solution.
model SingularStart
  Real x(start = 1);
equation
  time*der(x) + x = 1;
end SingularStart;
// expect: index=null dof=null verdict=singular
// expect-exit: 1
