// Two fixed values that contradict a constraint: the verdict is about the equations, the warning about the values.
model FixedContradiction
 Real x(start=1, fixed=true), y(start=5, fixed=true);
equation
 der(x) = -x;
 y = 2*x;
end FixedContradiction;
// expect: verdict=ok index=1 dof=1 initial.excess=1
// expect-warning: the fixed values x = 1, y = 5 cannot hold together
// run: --set y=2
// expect: verdict=ok initial.excess=1
// expect-no-warning: cannot hold
