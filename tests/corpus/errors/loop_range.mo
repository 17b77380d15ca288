model M
  Real x, y;
equation
  for i in x loop
    y = i;
  end for;
  for i in 1:0:3 loop
    y = i;
  end for;
  for i in 3 loop
    y = i;
  end for;
end M;
// expect-error: 4:12: a loop runs over a range or a vector of numbers, but x is a scalar
// expect-error: 7:12: the step of the range 1:0:3 is 0
// expect-error: 10:12: a loop runs over a range or a vector of numbers, but 3 is a scalar
