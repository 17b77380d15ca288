function positive
  input Real x;
algorithm
  assert(x > 0, "not positive");
end positive;
model Top
  Real x = 1, y;
equation
  positive(x, y);
  positive(true);
  positive(-2);
  negative(x);
  y = positive(x);
  (x, y) = positive(x);
end Top;
// expect-error: 9:3: positive has 1 input, but 2 arguments are given
// expect-error: 12:3: there is no function negative
// expect-error: 10:3: positive: x is Real, but the value given to it is Boolean
// expect-error: 4:10: positive: the assertion x > 0 does not hold: not positive
// expect-note: 11:3: in this call of positive
// expect-error: 13:7: positive has no output: its call has no value
// expect-error: 14:3: positive has 0 outputs, but 2 are used
