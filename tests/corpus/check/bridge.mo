// Wheatstone bridge with a capacitor in the middle: five resistor currents, node potentials, index 1.
model Bridge
  parameter Real R[4] = {100, 200, 300, 400}, C = 1e-6, U = 10;
  Real vc(start = 0, fixed = true), va, vb, i[4], ic;
equation
  U - va = R[1]*i[1];
  va = R[2]*i[2];
  U - vb = R[3]*i[3];
  vb = R[4]*i[4];
  i[1] = i[2] + ic;
  i[3] + ic = i[4];
  vc = va - vb;
  C*der(vc) = ic;
end Bridge;
// expect: index=1 dof=1 constraint_count=7 hidden_count=0 unknowns=8 kind=dae verdict=ok certificate=structural initial.missing=0 initial.excess=0
