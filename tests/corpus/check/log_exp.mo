// der(log(x*y)) - der(x)/x - der(y)/y = 0: the derivatives cancel.
model LogExp
  Real x(start = 1, fixed = true), y(start = 2);
equation
  der(log(x*y)) - der(x)/x - der(y)/y + y = 2*x;
  der(x) = -y;
end LogExp;
// expect: index=1 dof=1 constraint_count=1 hidden_count=0 unknowns=2 kind=dae verdict=ok initial.missing=0 initial.excess=0
