// A class inherited along two paths is inherited once.
model Base
  parameter Real k = 2;
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
end Base;
model Left extends Base; Real l = 2*x; end Left;
model Right extends Base; Real r = 3*x; end Right;
model Both
  extends Left;
  extends Right;
  Real s = l + r;
end Both;
//| model Both
//|   parameter Real k = 2;
//|   Real x(start = 1, fixed = true);
//|   Real l = 2*x;
//|   Real r = 3*x;
//|   Real s = l + r;
//| equation
//|   der(x) = -k*x;
//| end Both;
// expect: verdict=ok index=1 dof=1 unknowns=4 equations=4
