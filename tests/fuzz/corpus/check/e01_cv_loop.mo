model CvLoop
  parameter Real C1 = 1e-6, C2 = 2e-6, R = 100;
  Real v1, v2(start = 0), i1, i2, iR, iV;
equation
  C1*der(v1) = i1;
  C2*der(v2) = i2;
  v1 + v2 = 5*sin(100*time);
  iR = v2/R;
  i1 = i2 + iR;
  iV = -i1;
end CvLoop;
