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
