// Modifications with dots: several of one component belong together, also with a value beside them.
model First Real x(start = 1); equation der(x) = -x; end First;
model Second extends First(x(fixed = true)); end Second;
model Attributes extends Second(x.start = 4, x(min = -1)); end Attributes;
model A parameter Real k(min = 0, max = 10) = 3; Real x = k; end A;
model Top A a(k(max = 5) = 4), b(k.min = 1, k = 2); parameter Real q = 3 "doc"; A c(k = q) "the c part" annotation(Placement(x = 1)); end Top;
model Whole Top t(a.k = 8, b.k = 9, final c.k.min = 2); end Whole;
// run: Attributes
//| model Attributes
//|   Real x(start = 4, fixed = true, min = -1);
//| equation
//|   der(x) = -x;
//| end Attributes;
// expect: verdict=ok index=0 dof=1 unknowns=1 equations=1
// run: Whole
//| model Whole
//|   parameter Real 't.a.k'(min = 0, max = 5) = 8;
//|   Real 't.a.x' = 't.a.k';
//|   parameter Real 't.b.k'(min = 1, max = 10) = 9;
//|   Real 't.b.x' = 't.b.k';
//|   parameter Real 't.q' = 3 "doc";
//|   parameter Real 't.c.k'(min = 2, max = 10) = 't.q';
//|   Real 't.c.x' = 't.c.k';
//| end Whole;
// expect: verdict=ok index=1 dof=0 unknowns=3 equations=3
