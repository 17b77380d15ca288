// Names in quotes for classes, components and members.
model 'my part'
  parameter Real 'k.1' = 1;
  Real 'x y'(start = 1, fixed = true);
equation
  der('x y') = -'k.1'*'x y';
end 'my part';
model Top
  'my part' 'a.b', c['n' + 1]('k.1' = {1, 2});
  parameter Integer 'n' = 1;
  Real z = 'a.b'.'x y' + c[2].'x y';
end Top;
// run: Top
//| model Top
//|   parameter Integer 'n' = 1;
//|   parameter Real '\'a.b\'.\'k.1\'' = 1;
//|   Real '\'a.b\'.\'x y\''(start = 1, fixed = true);
//|   parameter Real 'c[1].\'k.1\'' = 1;
//|   Real 'c[1].\'x y\''(start = 1, fixed = true);
//|   parameter Real 'c[2].\'k.1\'' = 2;
//|   Real 'c[2].\'x y\''(start = 1, fixed = true);
//|   Real z = '\'a.b\'.\'x y\'' + 'c[2].\'x y\'';
//| equation
//|   der('\'a.b\'.\'x y\'') = -'\'a.b\'.\'k.1\''*'\'a.b\'.\'x y\'';
//|   der('c[1].\'x y\'') = -'c[1].\'k.1\''*'c[1].\'x y\'';
//|   der('c[2].\'x y\'') = -'c[2].\'k.1\''*'c[2].\'x y\'';
//| end Top;
// expect: verdict=ok index=1 dof=3 unknowns=4 equations=4
// run: Top --set c[2].'k.1'=5 --set 'a.b'.'k.1'=6
//| model Top
//|   parameter Integer 'n' = 1;
//|   parameter Real '\'a.b\'.\'k.1\'' = 6;
//|   Real '\'a.b\'.\'x y\''(start = 1, fixed = true);
//|   parameter Real 'c[1].\'k.1\'' = 1;
//|   Real 'c[1].\'x y\''(start = 1, fixed = true);
//|   parameter Real 'c[2].\'k.1\'' = 5;
//|   Real 'c[2].\'x y\''(start = 1, fixed = true);
//|   Real z = '\'a.b\'.\'x y\'' + 'c[2].\'x y\'';
//| equation
//|   der('\'a.b\'.\'x y\'') = -'\'a.b\'.\'k.1\''*'\'a.b\'.\'x y\'';
//|   der('c[1].\'x y\'') = -'c[1].\'k.1\''*'c[1].\'x y\'';
//|   der('c[2].\'x y\'') = -'c[2].\'k.1\''*'c[2].\'x y\'';
//| end Top;
// expect: verdict=ok index=1 dof=3 unknowns=4 equations=4
