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
