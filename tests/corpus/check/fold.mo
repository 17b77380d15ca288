// z^2 = x at x = 0: dg/dz vanishes at the start.
model Fold
  Real x(start = 0, fixed = true), z(start = 0);
equation
  der(x) = 1;
  z^2 = x;
end Fold;
// expect: verdict=singular index=null
// expect-reason: vanishes at the start values
// expect-exit: 1
// run: --set x=1 --set z=1
// expect: verdict=ok index=1 dof=1
// run: --set x=1 --set z=-1
// expect: verdict=ok index=1 dof=1
