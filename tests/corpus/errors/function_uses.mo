package P
  model M Real x = 1; end M;
  function f input Real x; output Real y; algorithm y := x; end f;
  function none input Real x; algorithm assert(x > 0, "positive"); end none;
  partial function part input Real x; output Real y; end part;
end P;
model Top
  Real k = 3;
  function loc input Real u; output Real y; algorithm y := u*k; end loc;
  Real a = P.f, b = P.g(1), c = P.M(1), d = P.none(1), e = P.part(1), g = k(2), h = loc(1), i = P(1);
equation
  (a, b, c) = P.f(1);
end Top;
// expect-error: 10:12: P.f is a class, not a value
// expect-error: 10:21: there is no variable or function P.g
// expect-error: 10:33: P.M is neither a function nor a record: it cannot be called
// expect-error: 10:45: P.none has no output: its call has no value
// expect-error: 10:60: P.part is partial: it cannot be called
// expect-error: 10:75: k(..) would be the value of k at one time, which is allowed only in the objective and the constraints of an `optimization`
// expect-error: 9:62: k is not a constant: from outside a component only constants of classes can be used
// expect-note: 10:85: in this call of Top.loc
// expect-error: 10:97: P is neither a function nor a record: it cannot be called
// expect-error: 12:3: P.f has 1 output, but 3 are used
