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
//| model Top
//|   parameter Real 'p.pi2' = 6.28;
//|   parameter Real 'p.f' = 50;
//|   Real 'p.y' = sin('p.pi2'*'p.f'*time);
//|   parameter Real pi2 = 6.28;
//|   parameter Real f = 60;
//|   Real y = sin(pi2*f*time);
//| end Top;
// expect: verdict=ok index=1 dof=0 unknowns=2 equations=2
