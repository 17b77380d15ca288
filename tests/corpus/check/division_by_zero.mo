// A coefficient that is not finite whatever the unknowns are: it is named, and start values are not blamed.
model DivisionByZero
  parameter Real a = 0;
  Real x, y;
equation
  der(y) = -y;
  der(x) = x/a;
end DivisionByZero;
// expect: certificate=undecided
// expect-warning: `der(x) = x/a`
// expect-warning: check its parameters
// expect-no-warning: start values
// run: --set a=2
// expect: verdict=ok index=0 dof=2 certificate=structural
