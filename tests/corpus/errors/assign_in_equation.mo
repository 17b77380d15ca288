model M
  Real x, y;
equation
  der(x) := -x;
  y = x;
end M;
// expect-error: 4:10: an equation is written with `=`; `:=` is an assignment in an algorithm
