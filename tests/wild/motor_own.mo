package Drive
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  connector Shaft
    Real phi;
    flow Real tau;
  end Shaft;
  partial model Port2
    Pin p, n;
    Real u, i;
  equation
    u = p.v - n.v; i = p.i; 0 = p.i + n.i;
  end Port2;
  model EMK "Gleichstrommaschine, äußere Welle"
    extends Port2;
    Shaft w;
    parameter Real k = 1;
    Real omega;
  equation
    omega = der(w.phi);
    u = k*omega;
    w.tau = -k*i;
  end EMK;
  model R extends Port2; parameter Real R = 1; equation u = R*i; end R;
  model L extends Port2; parameter Real L = 1; equation u = L*der(i); end L;
  model U "Spannungsquelle" extends Port2; input Real value; equation u = value; end U;
  model M "Masse" Pin p; equation p.v = 0; end M;
  model J "Trägheit"
    Shaft a;
    parameter Real J = 1;
    Real w(start = 0), phi(start = 0);
  equation
    phi = a.phi;
    w = der(phi);
    J*der(w) = a.tau;
  end J;
  model Antrieb
    U u(value = 10*sin(3*time));
    R r(R = 2);
    L l(L = 0.3, i(start = 0));
    EMK emk(k = 0.9);
    J j(J = 0.25);
    M m;
  equation
    connect(u.p, r.p); connect(r.n, l.p); connect(l.n, emk.p); connect(emk.n, u.n); connect(u.n, m.p);
    connect(emk.w, j.a);
    annotation(experiment(StopTime = 3));
  end Antrieb;
end Drive;
