// final values hold, and cannot be set from outside; final without a value protects what was declared.
model Part
  final parameter Real pi2 = 6.28;
  parameter Real f = 1;
  Real y = sin(pi2*f*time);
end Part;
model Top
  Part p(final f = 50);
  extends Part(final f = 60);
end Top;
