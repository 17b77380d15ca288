model M
  Real x(strat = 1, unit = 3, fixed = 1, start = true, min = y);
  Real y(start = 1, start = 2, foo = 3, free = true, initialGuess = 1);
  Real z(stateSelect = always, start(a = 1), min);
  parameter Real k(fixed = false) = 1;
equation
  x = y; y = z; z = k;
end M;
// expect-error: 3:21: start is given twice
// expect-error: 2:10: x has no attribute strat: did you mean start?
// expect-error: 2:21: unit is a text in quotes, as in unit = "m/s"
// expect-error: 2:31: fixed is true or false
// expect-error: 2:42: start is a number, not a Boolean
// expect-error: 2:62: only parameters and constants are allowed here, but y is a variable
// expect-error: 3:32: y has no attribute foo; there are start, fixed, min, max, nominal, unit, displayUnit, quantity and stateSelect
// expect-error: 3:41: `free` is known only in an `optimization`: in its own declarations and in extends M(x(free = ...))
// expect-error: 3:54: `initialGuess` is known only in an `optimization`: in its own declarations and in extends M(x(initialGuess = ...))
// expect-error: 4:24: always is not declared
// expect-error: 4:32: the attribute start needs a value: start = ...
// expect-error: 4:46: the attribute min needs a value: min = ...
// expect-error: 5:20: fixed = false on a parameter (computed at the start) is not supported yet
