model A Real x = 1; A a; end A;
// expect-error: 1:21: A contains itself, through a
