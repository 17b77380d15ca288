model Oregonator
  Real y1(start = 1), y2(start = 2), y3(start = 3);
equation
  der(y1) = 77.27*(y2 + y1*(1 - 8.375e-6*y1 - y2));
  der(y2) = (y3 - (1 + y1)*y2)/77.27;
  der(y3) = 0.161*(y1 - y3);
end Oregonator;
// expect: index=0 structural_index=0 dof=3 constraint_count=0 hidden_count=0 unknowns=3 verdict=ok certificate=structural kind=ode initial.missing=3 initial.excess=0
