package P
  model M Real x = 1; end M;
end P;
model Top
  P.M m;
  Real y = P.M.x, z = m, u = m.x.y, w = P.q;
end Top;
// expect-error: 6:12: P.M.x is not a constant: from outside a component only constants of classes can be used
// expect-error: 6:23: m is a component, not a number: name one of its variables, such as m.x
// expect-error: 6:34: m.x is a variable: it has no member y
// expect-error: 6:43: P has no member q
