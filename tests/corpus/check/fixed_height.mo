// A fixed height beside pressures that are far from their guesses: it holds, and nothing is said against it.
model FixedHeight
  Real h1(start = 0.5, fixed = true), h2(start = 1), q1, q2, q3, p1, p2, p3;
equation
  1.5*der(h1) = q1;
  p1 = 9810*h1;
  der(h2) = q2;
  p2 = 9810*h2;
  p3 = 1e6*q3;
  p1 = p3;
  p1 = p2;
  q1 + q2 + q3 = 0;
end FixedHeight;
// expect: index=2 dof=1 verdict=ok initial.missing=0 initial.excess=0
// expect-no-warning: cannot hold
