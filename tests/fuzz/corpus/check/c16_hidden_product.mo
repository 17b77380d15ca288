model HiddenProduct
  Real x(start = 1, fixed = true), y, a, b;
equation
  der(x) = y + a;
  y = 3*x;
  der(y) = a*x;
  b = a/5;
end HiddenProduct;
