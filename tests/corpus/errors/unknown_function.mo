model M
  Real x, y;
equation
  x = sen(y);
  y = foo(x);
  x = Elsewhere.Math.sin(y);
end M;
// expect-error: 4:7: there is no function sen: did you mean sin?
// expect-error: 5:7: there is no function foo
// expect-error: 6:7: there is no variable or function Elsewhere.Math.sin
