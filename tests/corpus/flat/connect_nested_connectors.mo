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
//| model Top
//|   parameter Integer 's.p.m' = 2;
//|   parameter Integer 'l.p.m' = 2;
//|   Real 's.p.pin[1].v';
//|   Real 's.p.pin[1].i';
//|   Real 's.p.pin[2].v';
//|   Real 's.p.pin[2].i';
//|   Real 's.p.shield.v';
//|   Real 's.p.shield.i';
//|   Real 'l.p.pin[1].v';
//|   Real 'l.p.pin[1].i';
//|   Real 'l.p.pin[2].v';
//|   Real 'l.p.pin[2].i';
//|   Real 'l.p.shield.v';
//|   Real 'l.p.shield.i';
//| equation
//|   's.p.pin[1].v' = 1;
//|   's.p.pin[2].v' = 2;
//|   's.p.shield.v' = 0;
//|   'l.p.pin[1].v' = 10*'l.p.pin[1].i';
//|   'l.p.pin[2].v' = 10*'l.p.pin[2].i';
//|   'l.p.shield.v' = 'l.p.shield.i';
//|   's.p.pin[1].v' = 'l.p.pin[1].v';
//|   's.p.pin[1].i' + 'l.p.pin[1].i' = 0;
//|   's.p.pin[2].v' = 'l.p.pin[2].v';
//|   's.p.pin[2].i' + 'l.p.pin[2].i' = 0;
//|   's.p.shield.v' = 'l.p.shield.v';
//|   's.p.shield.i' + 'l.p.shield.i' = 0;
//| end Top;
// expect: verdict=ok index=1 dof=0 unknowns=12 equations=12
