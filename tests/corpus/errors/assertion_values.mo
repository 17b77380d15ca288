model M
  Real x = 1;
equation
  assert(x, "m");
  assert(x > 0, 3);
  assert(x > 0, "m" + x);
end M;
// expect-error: 5:17: the message of assert is a text in quotes
// expect-error: 6:17: the message of assert is a text in quotes
// expect-error: 4:10: assert needs a condition, such as x > 0
