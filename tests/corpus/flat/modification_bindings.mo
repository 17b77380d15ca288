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
