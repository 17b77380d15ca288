partial model P Real x; end P;
package Lib model M Real x = 1; end M; end Lib;
function f input Real u; output Real y = u; algorithm end f;
model Top
  P p;
  Lib l;
  f g;
  Part2 q;
  Real z = f;
  Real w = Lib;
end Top;
// expect-error: 5:3: P is partial: it must be extended, so p cannot be declared with it
// expect-note: 1:15: P is defined here
// expect-error: 6:3: Lib is a package: l cannot be declared as one
// expect-error: 7:3: f is a function: g cannot be declared as one
// expect-error: 8:3: there is no type Part2: types are Real, Integer, Boolean, those defined with `type`, and classes
// expect-error: 9:12: f is a class, not a value
// expect-error: 10:12: Lib is a class, not a value
