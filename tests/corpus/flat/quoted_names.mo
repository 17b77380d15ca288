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
// run: Top --set c[2].'k.1'=5 --set 'a.b'.'k.1'=6
