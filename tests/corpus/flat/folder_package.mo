// Packages kept as folders: members are read from their files, names are looked for in the folders around.
model Top
  import Parts.Deep;
  Deep.Two two;
  Parts.Decay d(rate = Deep.c + Parts.k);
end Top;
// run: --library @/flat/library
//| model Top
//|   constant Real 'Parts.k' = 3;
//|   parameter Real 'two.a.rate' = 'Parts.k';
//|   Real 'two.a.x'(start = 1, fixed = true);
//|   constant Real 'Parts.Deep.c' = 2*'Parts.k';
//|   parameter Real 'two.b.rate' = 'Parts.Deep.c';
//|   Real 'two.b.x'(start = 1, fixed = true);
//|   Real 'two.i.y' = 'Parts.Deep.c';
//|   parameter Real 'd.rate' = 'Parts.Deep.c' + 'Parts.k';
//|   Real 'd.x'(start = 1, fixed = true);
//| equation
//|   der('two.a.x') = -'two.a.rate'*'two.a.x';
//|   der('two.b.x') = -'two.b.rate'*'two.b.x';
//|   der('d.x') = -'d.rate'*'d.x';
//| end Top;
// expect: verdict=ok index=1 dof=3 unknowns=4 equations=4
