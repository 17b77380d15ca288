// protected parts of a component belong to it and to the classes that extend it.
model Part
  parameter Real k = 2;
protected
  parameter Real h = 2*k;
  Real inner_state(start = 1, fixed = true);
public
  Real y = h*inner_state;
equation
  der(inner_state) = -k*inner_state;
end Part;
model More
  extends Part(h = 5);
  Real z = inner_state + h;
end More;
model Top
  Part p(k = 3);
  More m;
end Top;
//| model Top
//|   parameter Real 'p.k' = 3;
//|   parameter Real 'p.h' = 2*'p.k';
//|   Real 'p.inner_state'(start = 1, fixed = true);
//|   Real 'p.y' = 'p.h'*'p.inner_state';
//|   parameter Real 'm.k' = 2;
//|   parameter Real 'm.h' = 5;
//|   Real 'm.inner_state'(start = 1, fixed = true);
//|   Real 'm.y' = 'm.h'*'m.inner_state';
//|   Real 'm.z' = 'm.inner_state' + 'm.h';
//| equation
//|   der('p.inner_state') = -'p.k'*'p.inner_state';
//|   der('m.inner_state') = -'m.k'*'m.inner_state';
//| end Top;
// expect: verdict=ok index=1 dof=2 unknowns=5 equations=5
