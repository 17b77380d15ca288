type A = B;
type B = A;
model M
  A x;
end M;
// expect-error: 2:10: B is defined by itself: as A, which leads back to B
