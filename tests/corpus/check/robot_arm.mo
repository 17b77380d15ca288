// Two-link robot arm with an elastic joint whose end follows a prescribed path (Campbell and Griepentrog 1995).
model RobotArm
  Real x1(start = 0), x2, x3(start = 1), v1(start = -1), v2, v3(start = 0), u1, u2;
equation
  der(x1) = v1;
  der(x2) = v2;
  der(x3) = v3;
  der(v1) = 2*(sin(x3)/(2 - cos(x3)^2))*(v1 + v3)^2 + v1^2*(cos(x3)*sin(x3)/(2 - cos(x3)^2))
    + (2*x3 - x2)*(2/(2 - cos(x3)^2) + 2*(cos(x3)/(2 - cos(x3)^2))) + 2/(2 - cos(x3)^2)*(u1 - u2);
  der(v2) = -2*(sin(x3)/(2 - cos(x3)^2))*(v1 + v3)^2 - v1^2*(cos(x3)*sin(x3)/(2 - cos(x3)^2))
    + (2*x3 - x2)*(1 - 3*(2/(2 - cos(x3)^2)) - 2*(cos(x3)/(2 - cos(x3)^2))) - 2/(2 - cos(x3)^2)*u1
    + (2/(2 - cos(x3)^2) + 1)*u2;
  der(v3) = -2*(sin(x3)/(2 - cos(x3)^2))*(v1 + v3)^2 - v1^2*(cos(x3)*sin(x3)/(2 - cos(x3)^2))
    + (2*x3 - x2)*(2/(2 - cos(x3)^2) - 9*(cos(x3)/(2 - cos(x3)^2))) - 2*v1^2*(sin(x3)/(2 - cos(x3)^2))
    - cos(x3)*sin(x3)/(2 - cos(x3)^2)*(v1 + v3)^2 - (2/(2 - cos(x3)^2) + cos(x3)/(2 - cos(x3)^2))*(u1 - u2);
  cos(x1) + cos(x1 + x3) = cos(1 - exp(time)) + cos(1 - time);
  sin(x1) + sin(x1 + x3) = sin(1 - exp(time)) + sin(1 - time);
end RobotArm;
// expect: index=5 structural_index=3 dof=0 constraint_count=2 hidden_count=6 unknowns=8 equations=8
// expect: certificate=converted|derivative_array verdict=ok kind=dae initial.missing=0
