// y' + x*x' is 1 by the first two equations and 2 by the third: seen only where the rates are put in, since u cancels.
model ContradictionHidden
  Real x(start = 1), y(start = 1), u;
equation
  der(x) = u;
  der(y) = -u*x + 1;
  y + x^2/2 = 2*time + 1.5;
end ContradictionHidden;
// expect: verdict=inconsistent
// expect-reason: y + x^2/2 = 2*time + 1.5
