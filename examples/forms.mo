// The forms a model may have, one small class each: daedal check forms.mo NAME
model SecondOrder "x'' = -5 x' - 2 x"
  Real x(start = 1, fixed = true);
initial equation
  der(x) = 0;
equation
  der(der(x)) = -5*der(x) - 2*x;
end SecondOrder;

model Implicit "implicit in x'"
  Real x(start = -1, fixed = true);
equation
  der(x)^3 + x = 0;
end Implicit;

model Nilpotent "E x' = A x + B u with E nilpotent: index 3"
  parameter Real E[3,3] = [0, 1, 0; 0, 0, 1; 0, 0, 0], A[3,3] = identity(3), B[3] = {0, 0, 1};
  input Real u;
  Real x[3];
equation
  E*der(x) = A*x + B*u;
end Nilpotent;

model Multiplier "linear in the algebraic variable: index 2"
  Real x1(start = 1, fixed = true), x2, l;
equation
  der(x1) = x1 + 5*x2 - l;
  der(x2) = -2*x1 + x2 + l;
  2*x1 - x2 = 0;
end Multiplier;

model NeverDifferentiated "x2 is algebraic: index 1 while x1' is not 0"
  Real x1(start = 0, fixed = true), x2;
equation
  x1 - der(x1) + 1 = 0;
  der(x1)*x2 + 2 = 0;
end NeverDifferentiated;

model Cancelling "the derivatives cancel in the difference: index 1"
  Real x1(start = -7.5), x2(start = 1);
equation
  der(x1) + der(x2) - 7 = 0;
  der(x1) + der(x2) + x1 + cos(x2) = 0;
end Cancelling;

model Elimination "z = 1/x can be eliminated: index 1"
  input Real u;
  Real x(start = 1, fixed = true), z;
equation
  der(x) = u - x + z;
  0 = x*z - 1;
end Elimination;

model Sine "x' is given in closed form"
  Real x(start = 0, fixed = true);
equation
  der(x) + sin(x + 1) = sin(2*time);
end Sine;

model ThreeRoots "three values of x' for the same x: the start value of v chooses"
  Real x(start = 0, fixed = true), v(start = 1.7) = der(x);
equation
  v^3 - 3*v + x = 0;
end ThreeRoots;

model FullyImplicit "F(x', x, z, t) = 0"
  Real x(start = 1, fixed = true), z(start = 0.6);
equation
  der(x) + 0.2*der(x)^3 = z - x;
  z^3 + z = x + sin(time);
end FullyImplicit;

model SemiExplicit "the same with x' = v, 0 = F(v, x, z, t)"
  Real x(start = 1, fixed = true), z(start = 0.6), v;
equation
  der(x) = v;
  0 = v + 0.2*v^3 - z + x;
  0 = z^3 + z - x - sin(time);
end SemiExplicit;

model MassMatrix "M(x) x' = f(x)"
  Real x[2](start = {0.3, -0.2}, each fixed = true);
equation
  [2 + sin(x[1]), x[1]; x[2], 3]*der(x) = {x[2], -x[1]};
end MassMatrix;

model MassSolved "the same solved for x' by Cramer's rule"
  Real x[2](start = {0.3, -0.2}, each fixed = true);
  Real d = (2 + sin(x[1]))*3 - x[1]*x[2];
equation
  der(x[1]) = (3*x[2] + x[1]*x[1])/d;
  der(x[2]) = (-(2 + sin(x[1]))*x[1] - x[2]*x[2])/d;
end MassSolved;

model Vanishing "an ODE where u is not 0, else x = 0"
  input Real u;
  Real x(start = 1);
equation
  u*der(x) + x = 0;
end Vanishing;

model Branches "an ODE from x1 <> x2; from x1 = x2 a DAE of index 1 that keeps them equal"
  input Real u;
  Real x1(start = 1, fixed = true), x2(start = 0, fixed = true);
equation
  (x1 - x2)*der(x2) + x1 - x2 = 0;
  der(x1) + x1 - u = 0;
end Branches;

model Chain "what drives x2 along u? z = u'': index 3"
  input Real u;
  Real x1, x2, z;
equation
  der(x1) = z;
  der(x2) = x1;
  x2 = u;
end Chain;
