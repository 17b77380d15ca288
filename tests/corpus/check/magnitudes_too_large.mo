// Index 2 with one finite eigenvalue, y = 5*x1 + 2*x2 - 2*x3 squared: 2*x1 - x3 - y^2 = sin(time) and y + sin(time) + cos(time) = 0.
// Nothing is redundant: a combination is not zero because a bound of its terms is huge.
model MagnitudesTooLarge
  Real x1(start = 1), x2, x3;
equation
  -2*der(x1)*cos(2*x1 - x3) + der(x2) + der(x3)*cos(2*x1 - x3) + 2*x1 - 2*x2 - x3
    + (time + 1)*(der(x1)*(50*x1 + 20*x2 - 20*x3 - 2) - 6*der(x1)*cos(2*x1 - x3) + der(x2)*(20*x1 + 8*x2 - 8*x3)
    + 3*der(x2) + der(x3)*(-20*x1 - 8*x2 + 8*x3 + 1) + 3*der(x3)*cos(2*x1 - x3) - 5*x1 - 8*x2 + 2*x3 - sin(time)
    + 6*sin(2*x1 - x3) - 3*cos(2*time)) - (5*x1 + 2*x2 - 2*x3)^2 - sin(time) + 2*sin(2*x1 - x3) - cos(2*time) = 0;
  50*der(x1)*x1 + 20*der(x1)*x2 - 20*der(x1)*x3 - 6*der(x1)*cos(2*x1 - x3) - 2*der(x1) + 20*der(x2)*x1 + 8*der(x2)*x2
    - 8*der(x2)*x3 + 3*der(x2) - 20*der(x3)*x1 - 8*der(x3)*x2 + 8*der(x3)*x3 + 3*der(x3)*cos(2*x1 - x3) + der(x3) - 5*x1
    - 8*x2 + 2*x3 - sin(time) + 6*sin(2*x1 - x3) - 3*cos(2*time) = 0;
  50*der(x1)*x1 + 20*der(x1)*x2 - 20*der(x1)*x3 - 8*der(x1)*cos(2*x1 - x3) - 2*der(x1) + 20*der(x2)*x1 + 8*der(x2)*x2
    - 8*der(x2)*x3 + 4*der(x2) - 20*der(x3)*x1 - 8*der(x3)*x2 + 8*der(x3)*x3 + 4*der(x3)*cos(2*x1 - x3) + der(x3) - 5*x1
    - 10*x2 + 2*x3 - sin(time) + 8*sin(2*x1 - x3) - 4*cos(2*time) = 0;
end MagnitudesTooLarge;
// expect: index=2 dof=1 constraint_count=1 hidden_count=1 verdict=ok
