type A = B;
type B = A;
model M
  A x;
end M;
// expect-error: 1:6: the type A is defined by itself
