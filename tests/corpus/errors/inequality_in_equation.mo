model M
  Real x, y;
equation
  x <= 3;
  y = x;
end M;
// expect-error: 4:3: an equation has the form a = b; inequalities belong in the `constraint` section of an `optimization`, or in assert(...)
