// flow as part of a type, flow on a record: all of it is summed.
connector Current = flow Real(unit = "A");
record Pair Real x, y; end Pair;
connector Port
  Pair p;
  flow Pair f;
end Port;
model Half
  Port port;
  Current c;
equation
  port.f.x = port.p.x;
  port.f.y = 2*port.p.y;
end Half;
model Fixed
  Port port;
equation
  port.p.x = 1;
  port.p.y = 2;
end Fixed;
model Top
  Half a;
  Fixed b;
  Half open;
equation
  connect(a.port, b.port);
  connect(a.c, open.c);
  a.c = 1;
end Top;
//| model Top
//|   Real 'a.port.p.x';
//|   Real 'a.port.p.y';
//|   Real 'a.port.f.x';
//|   Real 'a.port.f.y';
//|   Real 'a.c'(unit = "A");
//|   Real 'b.port.p.x';
//|   Real 'b.port.p.y';
//|   Real 'b.port.f.x';
//|   Real 'b.port.f.y';
//|   Real 'open.port.p.x';
//|   Real 'open.port.p.y';
//|   Real 'open.port.f.x';
//|   Real 'open.port.f.y';
//|   Real 'open.c'(unit = "A");
//| equation
//|   'a.port.f.x' = 'a.port.p.x';
//|   'a.port.f.y' = 2*'a.port.p.y';
//|   'b.port.p.x' = 1;
//|   'b.port.p.y' = 2;
//|   'open.port.f.x' = 'open.port.p.x';
//|   'open.port.f.y' = 2*'open.port.p.y';
//|   'a.c' = 1;
//|   'a.port.p.x' = 'b.port.p.x';
//|   'a.port.p.y' = 'b.port.p.y';
//|   'a.port.f.x' + 'b.port.f.x' = 0;
//|   'a.port.f.y' + 'b.port.f.y' = 0;
//|   'a.c' + 'open.c' = 0;
//|   'open.port.f.x' = 0;
//|   'open.port.f.y' = 0;
//| end Top;
// expect: verdict=ok index=1 dof=0 unknowns=14 equations=14
