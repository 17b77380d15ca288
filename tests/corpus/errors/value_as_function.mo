model M
  Real x, y, p[3];
  parameter Real k = 1;
equation
  y = k(3) + x(1);
  x = p(2);
end M;
// expect-error: 5:7: k is the same at all times, it is not a function of time: write k alone
// expect-error: 5:14: x(..) would be the value of x at one time, which is allowed only in the objective and the constraints of an `optimization`
// expect-error: 6:7: p(..) would be the value of p at one time, which is allowed only in the objective and the constraints of an `optimization`; subscripts are written with [ ]
