// A nilpotent pencil of size 4, index 4, hidden by varying coefficients and a combination with x1^2. Equations are combined
// with the value of x2 put in, which only a differentiated equation gives: those differentiations count too.
model InlinedDepth
  Real x1, x2(start = 1), x3, x4(start = 0.5);
equation
  -2*der(x1) - 2*der(x2)*time^2 - 2*der(x2)*sin(time) - 10*der(x2) - 8*der(x3) - 8*der(x4) - 3*time^2*x2 - 4*time*x2
    - 3*x1 - 3*x2*sin(time) - 2*x2*cos(time) - 4*x2 + 9*x3 + 3*x4 + 3*cos(2*time) = 0;
  der(x2) - x3 - x4 = 0;
  der(x3) + der(x4) - x3 - cos(2*time) = 0;
  -2*der(x1)*x1^2 - der(x1) - 2*der(x2)*time^2*x1^2 - der(x2)*time^2 - 2*der(x2)*x1^2*sin(time) - 10*der(x2)*x1^2
    - der(x2)*sin(time) - 5*der(x2) - 8*der(x3)*x1^2 - 3*der(x3) - 8*der(x4)*x1^2 - 3*der(x4) - 3*time^2*x1^2*x2
    - time^2*x2 - 4*time*x1^2*x2 - 2*time*x2 - 3*x1^3 - 3*x1^2*x2*sin(time) - 2*x1^2*x2*cos(time) - 4*x1^2*x2
    + 9*x1^2*x3 + 3*x1^2*x4 + 3*x1^2*cos(2*time) - x1 - x2*sin(time) - x2*cos(time) - x2 + 4*x3 + 2*x4 + cos(2*time) = 0;
end InlinedDepth;
// expect: index=4 dof=0 constraint_count=1 hidden_count=3 verdict=ok
