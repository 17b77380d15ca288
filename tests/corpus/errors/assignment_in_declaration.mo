model M
  parameter Real k := 2;
  parameter Real l == 3;
  Real x(start := 1) = k + l;
end M;
// expect-error: 3:20: the value of a declaration is given with `=`; `==` compares two values
