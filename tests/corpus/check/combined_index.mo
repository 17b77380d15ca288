// A nilpotent pencil of size 3 with y3 = x2 + x3 put into a cube, equations combined with a factor x2: index 3. Ranks of rows
// that contain differentiated equations already would count one differentiation less.
model CombinedIndex
  Real x1, x2(start = 1), x3;
equation
  3*der(x1) + 9*der(x2) + 12*der(x3) - 6*x1 - 3*x2^3 - 9*x2^2*x3 - 9*x2*x3^2 - 7*x2 - 3*x3^3 - 16*x3 - 3*sin(time)
    - 6*cos(2*time) = 0;
  der(x1)*x2 + 2*der(x1) + 3*der(x2)*x2 + 7*der(x2) + 4*der(x3)*x2 + 9*der(x3) - 2*x1*x2 - 5*x1 - x2^4 - 3*x2^3*x3
    - 2*x2^3 - 3*x2^2*x3^2 - 6*x2^2*x3 - 2*x2^2 - x2*x3^3 - 6*x2*x3^2 - 5*x2*x3 - x2*sin(time) - 2*x2*cos(2*time) - 5*x2
    - 2*x3^3 - 12*x3 - 2*sin(time) - 5*cos(2*time) = 0;
  der(x1) + 3*der(x2) + 4*der(x3) - 2*x1 - 2*x2 - 5*x3 - (x2 + x3)^3 - sin(time) - 2*cos(2*time) = 0;
end CombinedIndex;
// expect: index=3 dof=0 constraint_count=1 hidden_count=2 verdict=ok
