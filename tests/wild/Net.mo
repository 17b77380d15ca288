package Net
  connector P Real v; flow Real i; end P;
  model R P p, n; parameter Real R = 1; equation p.i = (p.v - n.v)/R; p.i + n.i = 0; end R;
  model C P p, n; parameter Real C = 1; Real v(start = 0, fixed = true); equation v = p.v - n.v; C*der(v) = p.i; p.i + n.i = 0; end C;
  model G P p; equation p.v = 0; end G;
  model V P p, n; parameter Real V = 1; equation p.v - n.v = V; p.i + n.i = 0; end V;
  model RC "component with own connectors, hierarchical"
    P p, n;
    parameter Real tau = 1;
    final parameter Real R0 = 2;
    R r(R = R0) if tau > 0;
    C c(C = tau/R0);
  equation
    connect(p, r.p);
    connect(r.n, c.p);
    connect(c.n, n);
  end RC;
  model Top
    RC rc[2](tau = {1, 3});
    V v(V = 5);
    G g;
    parameter Boolean extra = true;
    RC more(tau = 2) if extra;
  equation
    connect(v.n, g.p);
    for k in 1:2 loop
      connect(v.p, rc[k].p);
      connect(rc[k].n, g.p);
    end for;
    if extra then
      connect(v.p, more.p);
      connect(more.n, g.p);
    end if;
  end Top;
end Net;
