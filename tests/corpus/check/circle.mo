// x' = y on the unit circle: index 1 where y is not 0.
model Circle
  Real x(start = 0.6), y(start = 0.8);
equation
  der(x) = y;
  x^2 + y^2 = 1;
end Circle;
// expect: index=1 structural_index=1 dof=1 constraint_count=1 hidden_count=0 unknowns=2 verdict=ok certificate=structural
// run: --set x=1 --set y=0
// At (1, 0) the derivative array along the constant solution x = 1, y = 0 has index 2 and y = 0 hidden; the solution
// x = cos(t), y = -sin(t) passes through the same point, which the warning says.
// expect: index=2 dof=0 constraint_count=1 hidden_count=1 verdict=ok certificate=derivative_array
// expect-warning: singular
