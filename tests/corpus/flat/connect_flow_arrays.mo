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
  n.l[1] = 1;
  n.l[3] = 3;
  connect(l, n.l[2:3]);
  connect(n.c[1], g.c);
end Top;
