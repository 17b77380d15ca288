// Slopes are compared with those at the sizes of unknowns. Where a size is not known, a verdict says what it depends on.
// expect: verdict=singular
// expect-reason: this is judged with z of size 1, since it has no nominal value
// run: --set scale=1
// expect: verdict=ok index=1 dof=1
model SmallWithoutNominal
  parameter Real scale = 1e-8;
  Real x(start = 1, fixed = true), z(start = 0.276*scale);
equation
  der(x) = -x;
  z/scale + (z/scale)^3 + 0.3*sin(x) = 0.549;
end SmallWithoutNominal;
