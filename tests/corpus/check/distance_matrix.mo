// Three points in the plane with fixed distances: constraints from a vector of norms; redundant only when collinear.
model Triangle
  Real a[2](start = {0, 0}), b[2](start = {1, 0}), c[2](start = {0.3, 0.8}), va[2], vb[2], vc[2], l[3];
equation
  der(a) = va;
  der(b) = vb;
  der(c) = vc;
  der(va) = l[1]*(b - a) + l[2]*(c - a);
  der(vb) = -l[1]*(b - a) + l[3]*(c - b) + {sin(time), 0};
  der(vc) = -l[2]*(c - a) - l[3]*(c - b) - {0, 9.81};
  {(b - a)*(b - a), (c - a)*(c - a), (c - b)*(c - b)} = {1, 0.73, 1.13};
end Triangle;
// expect: index=3 dof=6 constraint_count=3 hidden_count=6 unknowns=15 verdict=ok certificate=structural
// expect-equivalent: (b - a)*(vb - va) = 0
