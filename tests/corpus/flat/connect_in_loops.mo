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
