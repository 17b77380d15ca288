type A = B;
type B = A;
model M
  A x;
end M;
// expect-error: 2:6: the type B is defined by itself
