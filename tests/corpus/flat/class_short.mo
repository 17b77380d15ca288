// Short classes: with modifications, with sizes, of types with units, of connectors; classes inside classes.
type Angle = Real(unit = "rad", min = -10);
type Angles = Angle[2](max = {5, 6});
model Part
  constant Real c = 4;
  parameter Real k = 1;
  Angle x(start = k, fixed = true);
equation
  der(x) = -c*x;
end Part;
model Fast = Part(k = 5, x(max = 7));
model Pair = Fast[2](k = {8, 9});
model Top
  Fast f;
  Pair p;
  Angles a = {1, f.c + Part.c};
  model Local = Part(k = 3);
  Local l(x(start = 2));
end Top;
//| model Top
//|   constant Real 'f.c' = 4;
//|   parameter Real 'f.k' = 5;
//|   Real 'f.x'(start = 'f.k', fixed = true, min = -10, max = 7, unit = "rad");
//|   constant Real 'p[1].c' = 4;
//|   parameter Real 'p[1].k' = 8;
//|   Real 'p[1].x'(start = 'p[1].k', fixed = true, min = -10, max = 7, unit = "rad");
//|   constant Real 'p[2].c' = 4;
//|   parameter Real 'p[2].k' = 9;
//|   Real 'p[2].x'(start = 'p[2].k', fixed = true, min = -10, max = 7, unit = "rad");
//|   Real a[2](min = -10, max = {5, 6}, unit = "rad") = {1, 'f.c' + 'Part.c'};
//|   constant Real 'l.c' = 4;
//|   parameter Real 'l.k' = 3;
//|   Real 'l.x'(start = 2, fixed = true, min = -10, unit = "rad");
//|   constant Real 'Part.c' = 4;
//| equation
//|   der('f.x') = -'f.c'*'f.x';
//|   der('p[1].x') = -'p[1].c'*'p[1].x';
//|   der('p[2].x') = -'p[2].c'*'p[2].x';
//|   der('l.x') = -'l.c'*'l.x';
//| end Top;
// expect: verdict=ok index=1 dof=4 unknowns=6 equations=6
