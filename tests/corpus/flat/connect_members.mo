// Parameters and conditional members of connectors are not connected; the order of members does not matter.
connector C parameter Real k = 1; Real v; flow Real i; Real extra if k > 5; end C;
connector D flow Real i; parameter Real k = 2; Real v; end D;
model A C c; equation c.v = c.i; end A;
model B D c; equation c.v = 1; end B;
model Top A a; B b; equation connect(a.c, b.c); end Top;
//| model Top
//|   parameter Real 'a.c.k' = 1;
//|   Real 'a.c.v';
//|   Real 'a.c.i';
//|   Real 'b.c.i';
//|   parameter Real 'b.c.k' = 2;
//|   Real 'b.c.v';
//| equation
//|   'a.c.v' = 'a.c.i';
//|   'b.c.v' = 1;
//|   'a.c.v' = 'b.c.v';
//|   'a.c.i' + 'b.c.i' = 0;
//| end Top;
// expect: verdict=ok index=1 dof=0 unknowns=4 equations=4
