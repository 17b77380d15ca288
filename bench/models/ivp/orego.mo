// The Oregonator: the Belousov-Zhabotinsky reaction, a stiff ODE with a limit cycle.
model Oregonator
  Real y1(start = 1, fixed = true), y2(start = 2, fixed = true), y3(start = 3, fixed = true);
equation
  der(y1) = 77.27*(y2 + y1*(1 - 8.375e-6*y1 - y2));
  der(y2) = (y3 - (1 + y1)*y2)/77.27;
  der(y3) = 0.161*(y1 - y3);
  annotation(experiment(StopTime = 360, Tolerance = 1e-6));
end Oregonator;
