function f input String s; output Real y; algorithm y := 1; end f;
model Top String s = "a"; Real y = f("a"); end Top;
// expect-error: 2:11: `String` variables are not supported yet
// expect-error: 1:18: s: String variables are not supported in functions and records
