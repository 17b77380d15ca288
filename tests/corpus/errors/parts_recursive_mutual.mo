model A B b; end A;
model B C c[2]; end B;
model C A a; end C;
model Top A a; end Top;
// expect-error: 3:9: A contains itself, through a.b.c[1].a
// expect-note: 2:11: inside a.b.c[1], a C declared here
