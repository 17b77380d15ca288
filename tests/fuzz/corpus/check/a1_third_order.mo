model ThirdOrder
  input Real u;
  Real x(start = 1);
equation
  der(der(der(x))) + der(der(x))*x + der(x)^2 = u;
end ThirdOrder;
