record R Real a, b; end R;
record S Real a, c; end S;
function f input R r; output Real y; algorithm y := r.a + r.q; end f;
model Top
  R r, s = R(1), t = R(1, 2, 3), u = R(a = 1, q = 2), v = 3, w[2] = {R(1, 2)};
  S z;
  Real y = f(z), x = f(3), k = r, m = r + 1;
equation
  r = z;
  z = R(1, 2);
  r = 3;
end Top;
// expect-error: 5:12: R: the field b is not given and has no default
// expect-error: 5:22: R has 2 fields, but 3 values are given
// expect-error: 5:38: R: the field b is not given and has no default
// expect-error: 5:69: 1 value for an array of 2 records
// expect-error: 5:55: 3 is not a record, so it has no field a
// expect-note: 1:15: v.a is declared here
// expect-error: 3:61: R has no field q
// expect-note: 7:12: in this call of f
// expect-error: 7:32: R(r.a, r.b) is a record: a number, a Boolean or an array is needed here
// expect-error: 7:39: R(r.a, r.b) is a record: a number, a Boolean or an array is needed here
// expect-error: 9:3: z has no member b
// expect-error: 10:7: z is a record S, but the value is a record R
// expect-error: 11:3: the sides of this equation are records of different kinds
