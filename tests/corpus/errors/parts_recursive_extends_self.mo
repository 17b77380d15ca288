model A extends A; Real x = 1; end A;
// expect-error: 1:17: A extends itself
