// Arrays of flows that are connectors by themselves: each element is connected or zero.
connector Current = flow Real;
connector Level = Real;
model Node
  Current c[3];
  Level l[3];
end Node;
model Give
  Current c;
  Level l;
equation
  c + l = 1;
end Give;
model Top
  Node n;
  Give g;
  Level l[2];
equation
  connect(n.c[2], g.c);
  connect(n.l[2], g.l);
  n.c[2] = 2*n.l[2];
  n.l[1] = 1;
  n.l[3] = 3;
  connect(l, n.l[2:3]);
end Top;
//| model Top
//|   Real 'n.c'[3];
//|   Real 'n.l'[3];
//|   Real 'g.c';
//|   Real 'g.l';
//|   Real l[2];
//| equation
//|   'g.c' + 'g.l' = 1;
//|   'n.c'[2] = 2*'n.l'[2];
//|   'n.l'[1] = 1;
//|   'n.l'[3] = 3;
//|   'n.c'[2] + 'g.c' = 0;
//|   'n.l'[2] = 'g.l';
//|   'n.l'[2] = l[1];
//|   l[2] = 'n.l'[3];
//|   'n.c'[1] = 0;
//|   'n.c'[3] = 0;
//| end Top;
// expect: verdict=ok index=1 dof=0 unknowns=10 equations=10
