// The rates add up to 0, the constraint asks for 1: found by differentiating, though z is called the velocity of x.
model ContradictionOfRates
  Real x, y, z;
equation
  der(x) = z;
  der(y) = -z;
  x + y = time;
end ContradictionOfRates;
// expect: verdict=inconsistent
// expect-reason: together they imply 1 = 0
