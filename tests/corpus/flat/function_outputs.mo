// Several outputs: in a tuple, some left out, the first one in an expression; functions that call functions.
function polar
  input Real x, y;
  output Real r, phi;
algorithm
  r := sqrt(x^2 + y^2);
  phi := atan2(y, x);
end polar;
function both
  input Real u;
  output Real a[2];
  output Real b = 2*u;
protected
  Real r, s;
algorithm
  (r, s) := polar(u, 1);
  a := {r, s};
end both;
model Top
  Real r, phi, only, a[2], b, n = polar(3, 4) + 1;
equation
  (r, phi) = polar(time, 2);
  (, only) = polar(1, time);
  (a, b) = both(time);
end Top;
//| model Top
//|   Real r;
//|   Real phi;
//|   Real only;
//|   Real a[2];
//|   Real b;
//|   Real n = 6;
//| equation
//|   r - sqrt(time^2 + 4) = 0;
//|   phi - atan2(2, time) = 0;
//|   only - atan2(time, 1) = 0;
//|   a[1] - sqrt(time^2 + 1) = 0;
//|   a[2] - atan2(1, time) = 0;
//|   b - 2*time = 0;
//| end Top;
// expect: verdict=ok index=1 dof=0 unknowns=7 equations=7
