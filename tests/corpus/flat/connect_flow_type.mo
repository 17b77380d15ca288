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
