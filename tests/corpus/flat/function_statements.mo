// Statements of functions: assignment, if, for, while, break, return, local arrays, assert, elements of arrays.
function clip
  input Real u, lo = -1, hi = 1;
  output Real y;
algorithm
  if u < lo then
    y := lo;
  elseif u > hi then
    y := hi;
  else
    y := u;
  end if;
end clip;
function horner
  input Real c[:], x;
  output Real y = 0;
algorithm
  for i in size(c, 1):-1:1 loop
    y := y*x + c[i];
  end for;
end horner;
function root "Newton steps, as many as it takes, with parameters only"
  input Real a;
  output Real y = a;
protected
  Integer n = 0;
algorithm
  while abs(y*y - a) > 1e-12*a loop
    y := 0.5*(y + a/y);
    n := n + 1;
    if n > 50 then
      break;
    end if;
  end while;
end root;
function first_above
  input Real v[:], limit;
  output Integer k = 0;
algorithm
  for i in 1:size(v, 1) loop
    if v[i] > limit then
      k := i;
      return;
    end if;
  end for;
end first_above;
function rotate
  input Real v[2], a;
  output Real w[2];
protected
  Real R[2, 2];
algorithm
  R := [cos(a), -sin(a); sin(a), cos(a)];
  w := R*v;
  w[2] := w[2] + 1;
end rotate;
model Top
  parameter Real r = root(2), c[3] = {1, 2, 3};
  parameter Integer k = first_above(c, 1.5), none = first_above(c, 9);
  Real x(start = 1, fixed = true);
  Real y = clip(x), z = clip(u = 2*x, hi = 3), p = horner(c, x), q[2] = rotate({x, y}, 0.5);
equation
  der(x) = -r*x;
end Top;
//| model Top
//|   parameter Real r = 886731088897/627013566048;
//|   parameter Real c[3] = {1, 2, 3};
//|   parameter Integer k = if noEvent(1.5 < c[1]) then 1 elseif noEvent(1.5 < c[2]) then 2 elseif noEvent(1.5 < c[3]) then 3 else 0;
//|   parameter Integer none = if noEvent(9 < c[1]) then 1 elseif noEvent(9 < c[2]) then 2 elseif noEvent(9 < c[3]) then 3 else 0;
//|   Real x(start = 1, fixed = true);
//|   Real y = if noEvent(x < -1) then -1 elseif noEvent(1 < x) then 1 else x;
//|   Real z = if noEvent(2*x < -1) then -1 elseif noEvent(3 < 2*x) then 3 else 2*x;
//|   Real p = c[1] + x*(c[2] + c[3]*x);
//|   Real q[2] = {0.8775825618903728*x - 0.479425538604203*y, 0.479425538604203*x + 0.8775825618903728*y + 1};
//| equation
//|   der(x) = -r*x;
//| end Top;
// expect: verdict=ok index=1 dof=1 unknowns=6 equations=6
