model Assertions
  parameter Real k = 2;
  Real x(start = 1);
equation
  der(x) = -k*x;
  assert(k > 0, "k must be positive");
  assert(x > 0 and k < 3, "x must " + "stay positive", AssertionLevel.error);
  for i in 1:2 loop
    assert(x > -i, "bound");
  end for;
end Assertions;
// expect-count: rows=1 assertions=4
// expect-assertion: k must be positive
// expect-assertion: x must stay positive
// expect-assertion: bound
// expect-assertion: bound
