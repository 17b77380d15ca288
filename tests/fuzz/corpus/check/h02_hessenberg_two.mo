model HessenbergTwo
  Real y1(start = 1), y2(start = 1), z(start = 1);
equation
  der(y1) = y2 + z^2*y1;
  der(y2) = -y1 - z*y2;
  y1*y2 = 1;
end HessenbergTwo;
