model M
  Real x = 1;
equation
  assert(x, "m");
  assert(x > 0, 3);
  assert(x > 0);
  assert(x > 0, "m", AssertionLevel.fatal);
end M;
// expect-error: 6:15: expected `,` and a message after the condition of assert, found `)`
// expect-error: 7:22: the level of an assertion is AssertionLevel.error or AssertionLevel.warning
