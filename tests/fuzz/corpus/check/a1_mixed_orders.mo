model MixedOrders
  Real x, y;
equation
  der(der(x)) = y;
  der(y) = -x;
end MixedOrders;
