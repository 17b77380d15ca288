model SingularMass
  parameter Real m1 = 4, m2 = 1, c = 1;
  Real x(start = 1), y(start = 0);
equation
  m1*der(x) + c*der(y) = -x;
  c*der(x) + m2*der(y) = -y;
end SingularMass;
