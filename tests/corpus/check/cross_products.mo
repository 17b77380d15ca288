// Rigid body: I w' + w x (I w) = T with cross.
model CrossProducts
  parameter Real I[3,3] = [1, 0.1, 0; 0.1, 2, 0; 0, 0, 3];
  input Real T[3];
  Real w[3](start = {0.1, 1, 0.1}, each fixed = true), h[3] = I*w;
equation
  der(h) + cross(w, h) = T;
end CrossProducts;
// h and w are tied by the assignment; 6 unknowns, 3 degrees of freedom, index 1.
// expect: dof=3 unknowns=6 constraint_count=3 hidden_count=0 index=1 verdict=ok initial.missing=0 initial.excess=0
