// Slopes are compared with those at the sizes of unknowns. Without a nominal value a small start that is written is a size,
// unless it may be the rounding of a number of size one: then a verdict says what it depends on.
// expect: verdict=ok index=1 dof=1
// run: --set scale=1
// expect: verdict=ok index=1 dof=1
// run: --set scale=1e-13
// expect: verdict=singular
// expect-reason: this is judged with z of size 1, since it has no nominal value
model SmallWithoutNominal
  parameter Real scale = 1e-8;
  Real x(start = 1, fixed = true), z(start = 0.276*scale);
equation
  der(x) = -x;
  z/scale + (z/scale)^3 + 0.3*sin(x) = 0.549;
end SmallWithoutNominal;
