model MattssonSoderlindInputs
  input Real u1, u2, u3, u4;
  Real x1, x2, x3, x4;
equation
  x1 + x2 + u1 = 0;
  x1 + x2 + x3 + u2 = 0;
  x1 + der(x3) + x4 + u3 = 0;
  2*der(der(x1)) + der(der(x2)) + der(der(x3)) + der(x4) + u4 = 0;
end MattssonSoderlindInputs;
