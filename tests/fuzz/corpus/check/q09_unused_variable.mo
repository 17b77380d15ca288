model UnusedVariable
  Real x, z;
equation
  der(x) = -x;
end UnusedVariable;
