// The constraint repeats the sum of the rates, so nothing determines z.
model RedundantRates
  Real x, y, z;
equation
  der(x) = z;
  der(y) = -z;
  x + y = 3;
end RedundantRates;
// expect: verdict=singular
// expect-reason: `x + y = 3`
// expect-reason: follows from the others and is redundant
