model A parameter Real k = 1; Real x = k; end A;
model B parameter Real k = 2; Real y = k; end B;
model C extends A; extends B; Real x = 3; end C;
model Top C c; end Top;
// expect-error: 2:24: k is declared twice, the first time in line 1
// expect-note: 1:24: C has this one from A, and the other one from B
// expect-error: 3:36: x is declared twice, the first time in line 1
// expect-note: 1:36: C has this one from A, and the other one from C
