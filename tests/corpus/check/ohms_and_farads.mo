// A current source, a capacitor and two resistors: the values are nine powers of ten apart, the answer is not.
// Index 1 for there is neither a loop of capacitors nor a cut of inductors.
model OhmsAndFarads
  parameter Real C = 1e-3, R1 = 1e6, R2 = 1000;
  Real e1, e2, vC, iC, v1, i1, v2, i2, vs, is;
equation
  vC = e2 - e1;
  C*der(vC) = iC;
  v1 = -e2;
  v1 = R1*i1;
  vs = -e1;
  is = cos(3*time);
  v2 = e1 - e2;
  v2 = R2*i2;
  0 = -iC - is + i2;
  0 = iC - i1 - i2;
end OhmsAndFarads;
// expect: index=1 dof=1 verdict=ok certificate=structural
// run: --set C=1e-9 --set R1=4700
// expect: index=1 dof=1 verdict=ok certificate=structural
