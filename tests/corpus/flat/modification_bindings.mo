// Values of variables can be given and replaced by modifications.
model Signal
  Real y = sin(time);
  input Real u;
  Real z = 2*u;
end Signal;
model Top
  Real w = time;
  Signal a(y = cos(time), u = 3*w), b(u = a.z);
end Top;
//| model Top
//|   Real w = time;
//|   Real 'a.y' = cos(time);
//|   Real 'a.u' = 3*w;
//|   Real 'a.z' = 2*'a.u';
//|   Real 'b.y' = sin(time);
//|   Real 'b.u' = 'a.z';
//|   Real 'b.z' = 2*'b.u';
//| end Top;
// expect: verdict=ok index=1 dof=0 unknowns=7 equations=7
