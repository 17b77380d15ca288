// Three conditions on two states that are the same to first order: x + y is given twice.
model InitialDependent
  Real x(start = 1, fixed = true), y, z(start = 3, fixed = true);
initial equation
  x + y = 3;
equation
  der(x) = -x;
  der(y) = -2*y;
  z = x + y;
end InitialDependent;
// expect: index=1 dof=2 verdict=ok initial.missing=0 initial.excess=1
