model A extends B; end A;
model B extends C; end B;
model C extends A; end C;
model Top A a; end Top;
// expect-error: 3:17: C extends itself: it extends A, which leads back to C
