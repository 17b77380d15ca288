// The start that the text asks for, not a point nearby.
model LostMultiplier "with a = 2 the multiplier drops out: 0 = cos(0)"
  parameter Real c = 2;
  Real a(start = 2, fixed = true), b, mu;
equation
  der(a) = -1;
  der(b) = (a - c)*mu;
  b = sin(time);
end LostMultiplier;
model NoSecond "a' = a + 3 is 0 from a = -3, and 0*b = -1"
  Real a(start = -3, fixed = true), b;
equation
  a - der(a) + 3 = 0;
  der(a)*b + 1 = 0;
end NoSecond;
model GrowingRope "length 0 at the start: x = y = 0, and no speed makes it grow"
  Real x[2], v[2], a, b;
equation
  der(x) = v;
  der(v) = a*x;
  x*x = b;
  b = 2*time;
end GrowingRope;
model NegativeSquare "no real number"
  Real x(start = 1, fixed = true), z;
equation
  der(x) = -x;
  z^2 + 3 = x;
end NegativeSquare;
model InitialEquation "the same through an initial equation"
  Real a, b, mu;
initial equation
  a = 2;
equation
  der(a) = -1;
  der(b) = (a - 2)*mu;
  b = sin(time);
end InitialEquation;
model Cubic "folds at z = 1 (x = -1/2) and z = -1 (x = 3/2)"
  parameter Real x0 = 1, z0 = 1;
  Real x(start = x0, fixed = true), z(start = z0);
equation
  der(x) = -1;
  z^3 - 3*z = 2*x - 1;
end Cubic;
model TwoUnknowns "a fold that no single entry shows: the circle and the line touch at z = w"
  parameter Real x0 = 1;
  Real x(start = x0, fixed = true), z(start = 0.8), w(start = 0.2);
equation
  der(x) = -1;
  z^2 + w^2 = x;
  z + w = 1;
end TwoUnknowns;
model Triple "a gradient that vanishes without changing its sign"
  Real x(start = 0, fixed = true), z(start = 0.3);
equation
  der(x) = 1;
  (z - 1)^3 = x;
end Triple;
model RootAtZero "an infinite slope is no singular start"
  Real h(start = 0, fixed = true);
equation
  der(h) = 1 - sqrt(h);
end RootAtZero;
model NoRest
  Real x;
initial equation
  der(x) = 0;
equation
  der(x) = 2 + x^2;
end NoRest;
model NoLogarithm "z of exp(z) = p - least runs to minus infinity, where the row holds to any accuracy, or 1 + exp(z) is 1"
  parameter Real least = 0, p0 = 0;
  Real p(start = p0, fixed = true), z;
equation
  der(p) = -1;
  least + exp(z) = p;
end NoLogarithm;
model NoInverse
  Real p(start = 0, fixed = true), z;
equation
  der(p) = -1;
  1/z = p;
end NoInverse;
// run: NoLogarithm
// expect: verdict=ok index=1 dof=1 certificate=undecided initial.start=impossible
// run: NoLogarithm --set least=1 --set p0=1
// expect: verdict=ok index=1 dof=1 certificate=undecided initial.start=impossible
// run: NoLogarithm --set least=1000 --set p0=1000
// expect: verdict=ok index=1 dof=1 certificate=undecided initial.start=impossible
// run: NoLogarithm --set least=1 --set p0=1.000001
// expect: verdict=ok index=1 dof=1 certificate=structural initial.start=consistent
// run: NoInverse
// expect: verdict=ok index=1 dof=1 certificate=undecided initial.start=not_found
// run: RootAtZero
// expect: verdict=ok index=0 dof=1 certificate=structural initial.start=consistent
// expect-no-warning: singular
// run: NoRest
// expect: verdict=ok index=0 dof=1 certificate=undecided initial.start=impossible
// run: LostMultiplier
// expect: verdict=ok index=2 dof=1 certificate=undecided initial.start=impossible
// expect-warning: the given start is singular, and no consistent one exists with a = 2 (fixed): mu drops out of
// run: LostMultiplier --set c=1
// expect: verdict=ok index=2 dof=1 certificate=structural initial.start=consistent
// expect-no-warning: start
// run: LostMultiplier --set a=1.999
// expect: verdict=ok certificate=structural initial.start=consistent
// run: NoSecond
// expect: verdict=ok index=1 dof=1 certificate=undecided initial.start=impossible
// expect-warning: no consistent one exists with a = -3 (fixed)
// run: NoSecond --set a=-3.001
// expect: verdict=ok index=1 certificate=converted|structural initial.start=consistent
// run: GrowingRope
// expect: verdict=ok index=3 dof=2 certificate=undecided initial.start=impossible
// expect-warning: where x[1] = 0, x[2] = 0
// run: NegativeSquare
// expect: verdict=ok index=1 dof=1 certificate=undecided initial.start=impossible
// expect-warning: no consistent start exists with x = 1 (fixed): where x = 1 (fixed), `z^2 + 3 = x`
// expect-warning: has no solution for z
// run: NegativeSquare --set x=3.5
// expect: certificate=structural initial.start=consistent
// run: InitialEquation
// expect: verdict=ok index=2 dof=1 certificate=undecided initial.start=impossible
// expect-warning: mu drops out of
// run: Cubic
// expect: verdict=ok index=1 dof=1 certificate=structural initial.start=consistent
// expect-no-warning: singular
// run: Cubic --set x0=0 --set z0=-1
// expect: verdict=ok certificate=structural initial.start=consistent
// expect-no-warning: singular
// run: Cubic --set x0=-0.5 --set z0=-1.9
// expect: verdict=ok certificate=structural initial.start=consistent
// expect-no-warning: singular
// run: Cubic --set x0=-0.5
// expect: verdict=singular index=null
// expect-warning: the given start is singular
// expect-warning: x = -0.5 (fixed)
// run: Cubic --set x0=-0.5 --set z0=0.7
// expect: verdict=singular
// expect-warning: the given start is singular
// run: Cubic --set x0=1.5 --set z0=-1.2
// expect: verdict=singular
// expect-warning: the given start is singular
// run: TwoUnknowns
// expect: verdict=ok certificate=structural initial.start=consistent
// run: TwoUnknowns --set x0=0.5
// expect: verdict=singular
// expect-warning: the given start is singular
// run: Triple
// expect: verdict=singular
// expect-warning-or-reason: vanishes
// run: Triple --set x=0.008
// expect: verdict=ok certificate=structural initial.start=consistent
