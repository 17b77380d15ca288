model Algebraic
  Real x, y;
equation
  x + y = time;
  x - y^3 = 1;
end Algebraic;
