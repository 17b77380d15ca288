// Three flows around a loop add up to 0 by themselves. The equations are named as written, not as they were combined.
model RedundantSum
  Real p1, p2, p3, q12, q23, q31;
equation
  p1 - p2 = q12;
  p2 - p3 = q23;
  p3 - p1 = q31;
  der(p1) = q31 - q12;
  der(p2) = q12 - q23;
  q12 + q23 + q31 = 0;
end RedundantSum;
// expect: verdict=singular
// expect-reason: `q12 + q23 + q31 = 0`
// expect-reason: `p3 - p1 = q31`
