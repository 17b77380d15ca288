model A parameter Integer n = 3; Real x = n; A a[n - 1](each n = n - 1); end A;
model Top A a; end Top;
// expect-error: 1:46: A contains itself, through a.a
// expect-note: 2:13: inside a, an A declared here
