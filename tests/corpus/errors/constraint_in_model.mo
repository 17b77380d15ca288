model M
  Real x = 1;
constraint
  x >= 0;
end M;
// expect-error: 3:1: a `constraint` section is allowed only in an `optimization` class
