// connect in for, in if, nested loops over a two-dimensional array of components.
connector Port Real T; flow Real q; end Port;
model Capacity
  parameter Real C = 1;
  Port p;
  Real T(start = 300, fixed = true) = p.T;
equation
  C*der(T) = p.q;
end Capacity;
model Conductor
  parameter Real G = 1;
  Port a, b;
equation
  a.q + b.q = 0;
  a.q = G*(a.T - b.T);
end Conductor;
model Grid
  parameter Integer n = 2, m = 2;
  parameter Boolean closed = false;
  Capacity c[n, m];
  Conductor h[n, m - 1], w[n - 1, m];
equation
  for i in 1:n loop
    for j in 1:m - 1 loop
      connect(c[i, j].p, h[i, j].a);
      connect(h[i, j].b, c[i, j + 1].p);
    end for;
  end for;
  for i in 1:n - 1, j in 1:m loop
    connect(c[i, j].p, w[i, j].a);
    if closed or i < n then
      connect(w[i, j].b, c[i + 1, j].p);
    end if;
  end for;
end Grid;
//| model Grid
//|   parameter Integer n = 2;
//|   parameter Integer m = 2;
//|   parameter Boolean closed = false;
//|   parameter Real 'c[1,1].C' = 1;
//|   Real 'c[1,1].p.T';
//|   Real 'c[1,1].p.q';
//|   Real 'c[1,1].T'(start = 300, fixed = true) = 'c[1,1].p.T';
//|   parameter Real 'c[1,2].C' = 1;
//|   Real 'c[1,2].p.T';
//|   Real 'c[1,2].p.q';
//|   Real 'c[1,2].T'(start = 300, fixed = true) = 'c[1,2].p.T';
//|   parameter Real 'c[2,1].C' = 1;
//|   Real 'c[2,1].p.T';
//|   Real 'c[2,1].p.q';
//|   Real 'c[2,1].T'(start = 300, fixed = true) = 'c[2,1].p.T';
//|   parameter Real 'c[2,2].C' = 1;
//|   Real 'c[2,2].p.T';
//|   Real 'c[2,2].p.q';
//|   Real 'c[2,2].T'(start = 300, fixed = true) = 'c[2,2].p.T';
//|   parameter Real 'h[1,1].G' = 1;
//|   Real 'h[1,1].a.T';
//|   Real 'h[1,1].a.q';
//|   Real 'h[1,1].b.T';
//|   Real 'h[1,1].b.q';
//|   parameter Real 'h[2,1].G' = 1;
//|   Real 'h[2,1].a.T';
//|   Real 'h[2,1].a.q';
//|   Real 'h[2,1].b.T';
//|   Real 'h[2,1].b.q';
//|   parameter Real 'w[1,1].G' = 1;
//|   Real 'w[1,1].a.T';
//|   Real 'w[1,1].a.q';
//|   Real 'w[1,1].b.T';
//|   Real 'w[1,1].b.q';
//|   parameter Real 'w[1,2].G' = 1;
//|   Real 'w[1,2].a.T';
//|   Real 'w[1,2].a.q';
//|   Real 'w[1,2].b.T';
//|   Real 'w[1,2].b.q';
//| equation
//|   'c[1,1].C'*der('c[1,1].T') = 'c[1,1].p.q';
//|   'c[1,2].C'*der('c[1,2].T') = 'c[1,2].p.q';
//|   'c[2,1].C'*der('c[2,1].T') = 'c[2,1].p.q';
//|   'c[2,2].C'*der('c[2,2].T') = 'c[2,2].p.q';
//|   'h[1,1].a.q' + 'h[1,1].b.q' = 0;
//|   'h[1,1].a.q' = 'h[1,1].G'*('h[1,1].a.T' - 'h[1,1].b.T');
//|   'h[2,1].a.q' + 'h[2,1].b.q' = 0;
//|   'h[2,1].a.q' = 'h[2,1].G'*('h[2,1].a.T' - 'h[2,1].b.T');
//|   'w[1,1].a.q' + 'w[1,1].b.q' = 0;
//|   'w[1,1].a.q' = 'w[1,1].G'*('w[1,1].a.T' - 'w[1,1].b.T');
//|   'w[1,2].a.q' + 'w[1,2].b.q' = 0;
//|   'w[1,2].a.q' = 'w[1,2].G'*('w[1,2].a.T' - 'w[1,2].b.T');
//|   'c[1,1].p.T' = 'h[1,1].a.T';
//|   'c[1,1].p.T' = 'w[1,1].a.T';
//|   'c[1,1].p.q' + 'h[1,1].a.q' + 'w[1,1].a.q' = 0;
//|   'h[1,1].b.T' = 'c[1,2].p.T';
//|   'h[1,1].b.T' = 'w[1,2].a.T';
//|   'h[1,1].b.q' + 'c[1,2].p.q' + 'w[1,2].a.q' = 0;
//|   'c[2,1].p.T' = 'h[2,1].a.T';
//|   'c[2,1].p.T' = 'w[1,1].b.T';
//|   'c[2,1].p.q' + 'h[2,1].a.q' + 'w[1,1].b.q' = 0;
//|   'h[2,1].b.T' = 'c[2,2].p.T';
//|   'h[2,1].b.T' = 'w[1,2].b.T';
//|   'h[2,1].b.q' + 'c[2,2].p.q' + 'w[1,2].b.q' = 0;
//| end Grid;
// expect: verdict=ok index=1 dof=4 unknowns=28 equations=28
