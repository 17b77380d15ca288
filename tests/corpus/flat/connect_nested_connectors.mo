// Connectors inside connectors, also arrays of them.
connector Pin Real v; flow Real i; end Pin;
connector Plug
  parameter Integer m = 2;
  Pin pin[m];
  Pin shield;
end Plug;
model Source
  Plug p;
equation
  p.pin[1].v = 1;
  p.pin[2].v = 2;
  p.shield.v = 0;
end Source;
model Load
  Plug p;
equation
  for k in 1:p.m loop
    p.pin[k].v = 10*p.pin[k].i;
  end for;
  p.shield.v = p.shield.i;
end Load;
model Top
  Source s;
  Load l;
equation
  connect(s.p, l.p);
end Top;
