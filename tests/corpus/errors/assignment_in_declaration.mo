model M
  parameter Real k := 2;
  parameter Real l == 3;
  Real x(start := 1) = k + l;
end M;
// expect-error: 2:20: the value of a declaration is given with `=`; `:=` is an assignment in an algorithm
// expect-error: 3:20: the value of a declaration is given with `=`; `==` compares two values
// expect-error: 4:16: the value of an attribute is given with `=`; `:=` is an assignment in an algorithm
