model M
  Real x, y;
equation
  x == 3;
  y = x;
end M;
// expect-error: 4:3: an equation is written with one `=`; `==` compares two values
