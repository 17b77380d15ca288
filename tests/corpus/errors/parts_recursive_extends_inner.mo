model A model I Real x = 1; end I; extends I; B b; end A;
model B extends A; end B;
// expect-error: 1:47: B contains itself, through b
