// x'^3 - 3 x' + x = 0 has three roots x'; the start value of v chooses
model ThreeRoots
  Real x(start = 0, fixed = true), v(start = 1.5) = der(x);
equation
  der(x)^3 - 3*der(x) + x = 0;
end ThreeRoots;
// With the declared v the equation is 0 = v^3 - 3 v + x, a DAE of index 1.
// expect: index=1 dof=1 constraint_count=1 hidden_count=0 unknowns=2 equations=2 kind=dae verdict=ok initial.missing=0
// run: --set v=-1.5
// expect: index=1 dof=1 verdict=ok
// run: --set v=0.1
// expect: index=1 dof=1 verdict=ok
